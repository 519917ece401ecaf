import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { sampleSize } from '../support/runner/sample-size.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-first-'))
})
after(() => rm(folder, { recursive: true }))

const server = (file: string) => pathToFileURL(join(import.meta.dirname, '../../server', file)).href

const rounds = sampleSize(30)

/** Requests the secrets in another process, one set per round, starting at the given time; one line per set. */
function secretsFrom(moment: number): Promise<string> {
  const script = `
    import { readConfig } from '${server('settings/read-config.ts')}'
    import { requireSecrets } from '${server('settings/kept-secrets.ts')}'
    for (let round = 0; round < ${rounds}; round++) {
      const config = readConfig({ DATABASE_URL: 'sqlite:${folder}/' + round + '/tenantry.db' })
      while (Date.now() < ${moment} + 10 * round);
      console.log(JSON.stringify(requireSecrets(config, Date.now())))
    }`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return text(child.stdout)
}

test('processes that start at once for the first time share one set of secrets, and leave no other files', async () => {
  const moment = Date.now() + 2_000
  const all = await Promise.all(Array.from({ length: 4 }, () => secretsFrom(moment)))
  const sets = all[0]!.trim().split('\n')
  assert.equal(new Set(sets).size, rounds)
  for (const set of sets) assert.deepEqual(Object.keys(JSON.parse(set)), ['masterKeys', 'adminKey'])
  assert.deepEqual(new Set(all), new Set([all[0]]))
  assert.equal(await secretsFrom(0), all[0])
  for (let round = 0; round < rounds; round++)
    assert.deepEqual(await readdir(join(folder, String(round))), ['secrets.json'])
})
