import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { forgetMasterKey } from '../../server/maintenance/master-keys.ts'
import { keepSecrets, readKeptSecrets } from '../../server/settings/kept-secrets.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { keyOf } from '../../test/support/master-key.ts'
import { startTestService } from '../../test/support/service.ts'
import { type } from '../terminal/terminal.testkit.ts'

const [k1, k2, k3] = [keyOf('k1', 1), keyOf('k2', 2), keyOf('k3', 3)]

/** A database with data that is encrypted with k2, and these keys beside it. */
async function deploymentWith(masterKeys: string, t: { after(hook: () => Promise<void>): void }) {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-key-races-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'data', 'tenantry.db')
  await (await startTestService({ storage: await openSqliteStorage({ path }), masterKeys: k2 })).close()
  const file = join(folder, 'data', 'secrets.json')
  keepSecrets(file, { masterKeys })
  return {
    folder,
    path,
    kept: () => readKeptSecrets(file).masterKeys,
    keep: (text: string) => keepSecrets(file, { masterKeys: text }),
  }
}

test('a rotation generates no key when another one has generated a key meanwhile', async (t) => {
  const { folder, kept } = await deploymentWith(k2, t)
  const rotate = () => type(['master-key', 'rotate'], { folder, env: {} })
  const [one, other] = await Promise.all([rotate(), rotate()])
  assert.deepEqual([one.exitCode, other.exitCode].sort(), [0, 1])
  const [done, refused] = one.exitCode === 0 ? [one, other] : [other, one]
  assert.match(
    refused.errors,
    /^The keys in .*secrets\.json have changed meanwhile\. Nothing was written; run the command again\.\n$/,
  )
  const [, generated] = /^Generated the master key (\S+) /.exec(done.output) ?? []
  assert.deepEqual(
    kept()
      ?.split(',')
      .map((key) => key.split(':')[0]),
    [generated, 'k2'],
  )
})

test('removing a key loses none that was generated meanwhile', async (t) => {
  const { folder, path, kept, keep } = await deploymentWith(`${k2},${k1}`, t)
  const options = { env: {}, folder, place: { engine: 'sqlite', path }, now: Date.now() } as const
  const watch = () => keep(`${k3},${k2}`)
  await assert.rejects(forgetMasterKey({ ...options, watch }, 'k1'), /have changed meanwhile\. Nothing was written/)
  assert.equal(kept(), `${k3},${k2}`)
})
