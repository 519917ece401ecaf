import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkErasure, checkForeignIds, checkSharedIds } from '../suite/isolation.ts'
import { seedTwoTenants } from '../suite/two-tenants.ts'
import { dumpFile } from './open-test-storage.ts'
import { openSqliteStorage } from './sqlite-storage.ts'

const folder = await mkdtemp(join(process.argv[2] ?? tmpdir(), 'prof-'))
const template = join(folder, 't.db')
const s = await openSqliteStorage({ path: template })
await seedTwoTenants(s)
await s.close()
for (const check of [checkForeignIds, checkSharedIds, checkErasure, checkForeignIds, checkSharedIds, checkErasure]) {
  const path = join(folder, 'm.db')
  let dumps = 0,
    dumpMs = 0,
    commits = 0
  const t = performance.now()
  await copyFile(template, path)
  const t1 = performance.now()
  const storage = await openSqliteStorage({
    path,
    hooks: {
      beforeCommit: () => {
        commits++
      },
    },
  })
  const t2 = performance.now()
  await check({
    storage,
    dump: async () => {
      dumps++
      const d = performance.now()
      const r = dumpFile(path)
      dumpMs += performance.now() - d
      return r
    },
    close: async () => {},
  })
  const t3 = performance.now()
  await storage.close()
  await rm(path)
  console.log(check.name, 'copy', t1 - t, 'open', t2 - t1, 'check', t3 - t2, 'close', performance.now() - t3, {
    dumps,
    dumpMs,
    commits,
  })
}
await rm(folder, { recursive: true })
