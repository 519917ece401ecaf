import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { firebaseSample } from '../../server/passwords/imported/published-hashes.testkit.ts'
import { readPage } from '../support/page-blocks.ts'
import { startPageServer } from '../support/page-server.ts'
import { runPageInOneShell } from '../support/page-shell.ts'

const bcrypt = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'

/** What other systems export, in their published form. */
const exportsOfOthers = {
  'users.json': {
    users: [
      {
        ...{ localId: 'f1', email: 'user1@example.com', emailVerified: true, displayName: 'One' },
        ...{ passwordHash: firebaseSample.hash, salt: firebaseSample.salt, createdAt: '1700000000000' },
        providerUserInfo: [{ providerId: 'google.com', rawId: '1000', email: 'user1@example.com' }],
      },
      {
        localId: 'f2',
        phoneNumber: '+33612345679',
        createdAt: '1700000000000',
        lastSignedInAt: '1700000001000',
        disabled: true,
      },
    ],
  },
  'auth0.json': { _id: { $oid: 'a1' }, email: 'auth0@example.com', email_verified: true, passwordHash: bcrypt },
  'cognito.json': {
    Users: [
      {
        Attributes: [
          { Name: 'sub', Value: 'c1' },
          { Name: 'email', Value: 'cognito@example.com' },
          { Name: 'email_verified', Value: 'true' },
        ],
        ...{ Enabled: true, UserCreateDate: '2024-05-01T10:00:00.000000+02:00' },
      },
      {
        Attributes: [
          { Name: 'sub', Value: 'c2' },
          { Name: 'phone_number', Value: '+33612345678' },
          { Name: 'identities', Value: '[{"providerType": "Google", "userId": "2000"}]' },
        ],
        ...{ Enabled: false, UserCreateDate: '2024-05-01T10:00:00.000000+02:00' },
      },
    ],
  },
}

/** What the queries of the guide print. `psql` itself does not run: a test may not depend on it. */
const rowsOfQueries = {
  rails: [{ email: 'rails@example.com', emailVerified: true, passwordHash: bcrypt }],
  django: [
    {
      email: 'django@example.com',
      passwordHash: 'pbkdf2_sha256$390000$seasalt$8xBlGd3jVgvJ+92hWPxi5ww0uuAuAnKgC45eudxro7c=',
      profile: { legacyId: '7', firstName: 'Dj' },
    },
    { email: 'inactive@example.com', passwordHash: null, suspension: { reason: 'not active' } },
  ],
  accounts: [
    {
      email: 'plain@example.com',
      passwordHash: {
        ...{ algorithm: 'sha1', encoding: 'hex', hash: 'cff36ea83f5706ce9aa7454e63e431fc726b2dc8' },
        ...{ salt: 'seasalt', saltEncoding: 'utf8', order: 'salt-first' },
      },
    },
  ],
}

test('the commands of docs/guides/import-users.md print what it shows', async () => {
  await using server = await startPageServer()
  const write = (name: string, lines: readonly unknown[]) =>
    writeFile(join(server.folder, name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  for (const [name, content] of Object.entries(exportsOfOthers)) await write(name, [content])
  const second = { _id: { $oid: 'a2' }, identifiers: [{ type: 'email', value: 'second@example.com', verified: true }] }
  await write('auth0.json', [exportsOfOthers['auth0.json'], second])
  for (const [name, rows] of Object.entries(rowsOfQueries)) await write(`${name}.rows`, rows)
  const psql =
    'psql() { cat "$1"; }\nRAILS_DATABASE_URL=rails.rows\nDJANGO_DATABASE_URL=django.rows\nDATABASE_URL=accounts.rows\n'
  await runPageInOneShell(server, await readPage('docs/guides/import-users.md'), psql)
})

test('the commands of docs/guides/backup-and-restore.md print what it shows', async () => {
  await using server = await startPageServer({}, (_, folder) => ({
    '$(date +%F)': '2026-11-22',
    '/backups/': `${folder}/backups/`,
    '/tmp/trial/': `${folder}/tmp/trial/`,
    '/srv/tenantry/data/': `${folder}/data/`,
  }))
  await mkdir(join(server.folder, 'backups'))
  await server.runPage(await readPage('docs/guides/backup-and-restore.md'))
})
