import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before } from 'node:test'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { type DyingProcess, startDyingProcess } from '../campaign/crashes/dying-process.ts'
import { testOnSqliteAlone } from '../support/databases/on-sqlite-alone.ts'

const test = testOnSqliteAlone('kills a process at statements of SQLite')
const adminKey = 'killed-process-admin-key-of-32-characters'
const masterKeys = generateMasterKeys(0)

let folder: string
let running: DyingProcess
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-counts-'))
  await start()
})
after(async () => {
  await running.kill()
  await rm(folder, { recursive: true })
})

const start = async () => {
  running = await startDyingProcess(join(folder, 'tenantry.db'), adminKey, masterKeys)
}
const admin = () => createTenantryAdmin({ baseUrl: running.baseUrl, adminKey })

async function newTenant() {
  const { id: tenantId } = await admin().createTenant({ name: 'Counted' })
  await admin().updateConfiguration({ tenantId }, { auth: { methods: ['guest', 'otp'] } })
  const { key: tenantKey } = await admin().createTenantKey({ tenantId }, {})
  return {
    async act(times: number): Promise<void> {
      const client = createTenantryClient({ baseUrl: running.baseUrl, tenantKey })
      for (let time = 0; time < times; time++) {
        await client.issueOtp({ scope: 'otp_signin', email: 'ada@example.com' })
        await client.signIn({ method: 'guest' })
      }
    },
    /** Writes what was counted, then reads it: codes of the tenant and of the deployment, and users of the tenant. */
    async shown(): Promise<number[]> {
      const [own, all] = [await admin().getTenantStatistics({ tenantId }), await admin().getStatistics()]
      return [own.days.at(-1)!.codes, all.days.at(-1)!.codes, own.totals!.users]
    },
  }
}

/** Where the process dies, and what is stored of two acts then: codes, those of the deployment, users. */
const points: [before: string, ...stored: number[]][] = [
  ['count.addActs', 0, 0, 0],
  ['count.addTotals', 2, 0, 0],
  ['count.addOwnActs', 2, 0, 2],
]

for (const [point, ...stored] of points) {
  test(`a process that is killed before ${point} loses what it had not written, and counts nothing twice`, async () => {
    const tenant = await newTenant()
    const [, otherCodes] = await tenant.shown()
    await tenant.act(3)
    const written = [3, otherCodes! + 3, 3]
    assert.deepEqual(await tenant.shown(), written)

    await tenant.act(2)
    await running.crashAt({ before: point })
    await assert.rejects(tenant.shown())
    assert.equal(await running.ended, 'SIGKILL')
    await start()
    const kept = written.map((n, index) => n + stored[index]!)
    assert.deepEqual(await tenant.shown(), kept)
    await tenant.act(1)
    assert.deepEqual(
      await tenant.shown(),
      kept.map((n) => n + 1),
    )
  })
}

for (const point of ['commit', 'answer']) {
  test(`a process that is killed before the ${point} of a flush counts each act once or not at all`, async () => {
    const tenant = await newTenant()
    const [, otherCodes] = await tenant.shown()
    await tenant.act(1)
    await tenant.shown()
    await tenant.act(1)
    await running.crashAt({ before: point })
    await assert.rejects(tenant.shown())
    await start()
    const [codes, ownCodes, users] = await tenant.shown()
    for (const n of [codes!, ownCodes! - otherCodes!, users!]) assert.ok(n === 1 || n === 2, `${n}`)
  })
}
