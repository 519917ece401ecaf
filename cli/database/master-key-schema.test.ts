import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { keepSecrets, readKeptSecrets } from '../../server/settings/kept-secrets.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { keyOf } from '../../test/support/master-key.ts'
import { type } from '../terminal/terminal.testkit.ts'

const k1 = keyOf('k1', 1)
const k2 = keyOf('k2', 2)

test('refuses a database of another version, which may encrypt what this one does not look for', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-key-schema-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'data', 'tenantry.db')
  const file = join(folder, 'data', 'secrets.json')
  await (await openSqliteStorage({ path })).close()
  using database = new DatabaseSync(path)
  const steps: readonly (readonly [string, RegExp])[] = [
    [
      "INSERT INTO schema_migrations (id, applied_at) VALUES ('9999-later', 0)",
      /newer than this program: .*9999-later/,
    ],
    ["DELETE FROM schema_migrations WHERE id > '0020'", /older than this program: .*"tenantry migrate" first/],
    ['DROP TABLE schema_migrations', /^The database is not a Tenantry database/],
  ]
  for (const [change, reason] of steps) {
    database.exec(change)
    for (const masterKeys of [k1, `${k2},${k1}`]) {
      keepSecrets(file, { masterKeys })
      const commands = [['rotate'], ['rotate', '--restarted'], ...(masterKeys === k1 ? [] : [['forget', 'k1']])]
      for (const words of commands) {
        const { exitCode, errors } = await type(['master-key', ...words], { folder, env: {} })
        assert.equal(exitCode, 1)
        assert.match(errors, reason)
        assert.equal(readKeptSecrets(file).masterKeys, masterKeys)
      }
    }
  }
})
