import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-first-'))
})
after(() => rm(folder, { recursive: true }))

const server = (file: string) => pathToFileURL(join(import.meta.dirname, '..', 'server', file)).href

/** Asks for the secrets at the given moment, in a process of its own. */
function secretsAt(moment: number): Promise<string> {
  const script = `
    import { readConfig } from '${server('config.ts')}'
    import { requireSecrets } from '${server('kept-secrets.ts')}'
    const config = readConfig({ DATABASE_URL: 'sqlite:${join(folder, 'tenantry.db')}' })
    while (Date.now() < ${moment});
    process.stdout.write(JSON.stringify(requireSecrets(config, Date.now())))`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return text(child.stdout)
}

test('processes that start at once for the first time have one set of secrets, and leave nothing else behind', async () => {
  const moment = Date.now() + 2_000
  const all = await Promise.all(Array.from({ length: 4 }, () => secretsAt(moment)))
  assert.deepEqual(Object.keys(JSON.parse(all[0]!)), ['masterKeys', 'adminKey'])
  assert.deepEqual(new Set(all), new Set([all[0]]))
  assert.equal(await secretsAt(0), all[0])
  assert.deepEqual(await readdir(folder), ['secrets.json'])
})
