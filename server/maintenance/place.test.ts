import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readPlace } from './place.ts'

test('ignores the environment’s database URL and password for a URL from an option', () => {
  const env = { DATABASE_URL_FILE: '/run/secrets/url', TENANTRY_DATABASE_PASSWORD_FILE: '/run/secrets/password' }
  const typed = (url: string) => readPlace({ env, folder: '/srv' }, { option: '--database', url })
  assert.deepEqual(typed('sqlite:x.db'), { engine: 'sqlite', path: '/srv/x.db' })
  const url = 'postgres://user:secret@db/accounts'
  const place = typed(url)
  assert.ok(place.engine === 'postgres' && place.url === url && place.passwordFile === undefined)
})

test('refuses an empty URL from an option, instead of the default database', () => {
  for (const url of ['', ' ']) {
    assert.throws(
      () => readPlace({ env: { DATABASE_URL: 'sqlite:x.db' }, folder: '/srv' }, { option: '--to', url }),
      /^Error: --to is empty; specify sqlite:<path> or postgres:\/\/…$/,
    )
  }
})
