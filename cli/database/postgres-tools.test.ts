import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type } from '../terminal/terminal.testkit.ts'

test('refers to the tools of PostgreSQL, without showing the password', async () => {
  const commandOf = async (command: 'backup' | 'restore', url: string) =>
    (await type([command, 'x.db', '--database', url], {})).errors.split('\n')[1]
  const dump = '  pg_dump --enable-row-security --format=custom --file=tenantry.dump'
  const restore = '  pg_restore --exit-on-error --single-transaction'
  const url = 'postgres://ada:not-to-be-told@db.example.com/accounts'
  assert.equal(await commandOf('backup', url), `${dump} 'postgres://ada@db.example.com/accounts'`)
  assert.equal(
    await commandOf('restore', url),
    `${restore} --dbname='postgres://ada@db.example.com/accounts' tenantry.dump`,
  )
  // Each is quoted for a shell, and a URL that libpq reads.
  for (const place of [
    '@db.example.com,standby:5433/accounts?sslmode=require',
    '@[::1]:5432/accounts',
    '@/accounts?host=/var/run/postgresql',
    '%40home@db.example.com/my%20accounts',
  ])
    assert.equal(
      await commandOf('backup', `postgres://ada${place.replace('@', ':not-to-be-told@')}`),
      `${dump} 'postgres://ada${place}'`,
    )
})
