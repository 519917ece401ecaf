import { pbkdf2Sync, randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { hashRaw } from '@node-rs/argon2'
import { firebaseSample } from '../../server/passwords/imported/published-hashes.testkit.ts'
import { readPage } from '../support/documentation/page-blocks.ts'
import { startPageServer } from '../support/documentation/page-server.ts'
import { runPageInOneShell } from '../support/documentation/page-shell.ts'

const bcrypt = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'

/** A password as Keycloak exports it. */
const keycloakPassword = (hash: Uint8Array, salt: Uint8Array, parameters: object) => ({
  type: 'password',
  secretData: JSON.stringify({ value: base64(hash), salt: base64(salt), additionalParameters: {} }),
  credentialData: JSON.stringify(parameters),
})
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

async function keycloakArgon2(version: '1.0' | '1.3') {
  const salt = randomBytes(16)
  const hash = await hashRaw('correct horse', {
    ...{ memoryCost: 7168, timeCost: 5, parallelism: 1, outputLen: 32, salt },
    version: version === '1.0' ? 0 : 1,
  })
  const additionalParameters = {
    hashLength: ['32'],
    memory: ['7168'],
    type: ['id'],
    version: [version],
    parallelism: ['1'],
  }
  return keycloakPassword(hash, salt, { hashIterations: 5, algorithm: 'argon2', additionalParameters })
}

function keycloakPbkdf2() {
  const salt = randomBytes(16)
  const hash = pbkdf2Sync('correct horse', salt, 210_000, 64, 'sha512')
  return keycloakPassword(hash, salt, { hashIterations: 210_000, algorithm: 'pbkdf2-sha512', additionalParameters: {} })
}

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
  'realm.json': {
    users: [
      {
        ...{ id: 'k1', email: 'argon2@example.com', emailVerified: true, firstName: 'One', enabled: true },
        createdTimestamp: 1_700_000_000_123,
        federatedIdentities: [{ identityProvider: 'google', userId: '3000', userName: 'one' }],
        credentials: [{ type: 'otp', secretData: '{}', credentialData: '{}' }, await keycloakArgon2('1.3')],
      },
      {
        ...{ id: 'k2', email: 'pbkdf2@example.com', emailVerified: true, enabled: true },
        createdTimestamp: 1_700_000_000_123,
        credentials: [keycloakPbkdf2()],
      },
      {
        ...{ id: 'k5', email: 'argon2-1.0@example.com', emailVerified: true, enabled: true },
        createdTimestamp: 1_700_000_000_123,
        credentials: [await keycloakArgon2('1.0')],
      },
      {
        id: 'k3',
        email: 'no-password@example.com',
        emailVerified: false,
        enabled: false,
        createdTimestamp: 1_700_000_000_123,
      },
      { id: 'k4', username: 'service-account-api', serviceAccountClientId: 'api', enabled: true, createdTimestamp: 1 },
    ],
  },
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
  supabase: [
    {
      ...{ email: 'supabase@example.com', emailVerified: true, phone: null, phoneVerified: false, guest: false },
      ...{ passwordHash: bcrypt, identities: [{ provider: 'google', subject: '4000' }], suspension: null },
      profile: { legacyId: 's1', firstName: null },
    },
    { email: null, phone: '+33612345670', phoneVerified: true, guest: false, passwordHash: null, identities: [] },
    { email: null, phone: null, guest: true, passwordHash: null, identities: [], profile: { legacyId: 's3' } },
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
    'psql() { cat "$1"; }\nRAILS_DATABASE_URL=rails.rows\nDJANGO_DATABASE_URL=django.rows\nSUPABASE_DATABASE_URL=supabase.rows\nOLD_DATABASE_URL=accounts.rows\n'
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
