import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { errors as contractErrors } from '../../../contract/errors.ts'
import type { FieldDetail } from '../../../contract/field-detail.ts'
import { storedRows } from '../../../test/support/databases/stored-rows.ts'
import { importInto } from '../../../test/support/import-into.ts'
import { refused } from '../../../test/support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../../../test/support/service.ts'
import { ulid } from '../../core/ids.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const hash = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
const schema = {
  components: [
    { name: 'firstName', type: 'text' as const },
    { name: 'plan', type: 'text' as const, writable: false },
    { name: 'code', type: 'text' as const, rules: { maxLength: 3 } },
  ],
}

async function newTenant(): Promise<TestTenant> {
  const tenant = await service.addTenant()
  await service.admin.publishProfileSchema(tenant, schema)
  return tenant
}

const usersOf = async ({ tenantId }: TestTenant) =>
  (await service.admin.listUsers({ tenantId }, { limit: '200' })).items
const emailsOf = async (tenant: TestTenant) => (await usersOf(tenant)).map(({ email }) => email).sort()

test('imports all members of a user, including fields that clients cannot write', async () => {
  const tenant = await newTenant()
  const id = ulid(Date.UTC(2019, 0))
  const { counts, errors } = await importInto(service, tenant, [
    {
      id,
      email: ' Ada@Example.com',
      emailVerified: true,
      phone: '+33 6 12 34 56 78',
      phoneVerified: true,
      passwordHash: hash,
      identities: [
        { provider: 'google', subject: 'g-1', email: 'Ada@Gmail.com' },
        { provider: 'apple', subject: 'a-1' },
      ],
      profile: { firstName: 'Ada', plan: 'gold', unknown: 1 },
      restrictions: [{ capability: 'upload', reason: 'size' }, { capability: 'profile_update' }],
      suspension: { reason: 'spam', until: '2026-01-16T13:00:00+01:00' },
      createdAt: '2019-05-01T08:00:00+02:00',
      lastActiveAt: '2025-12-31T23:59:59.5Z',
      legacyId: 77,
    },
  ])
  assert.deepEqual([counts, errors], [{ read: 1, imported: 1, failed: 0 }, []])
  const createdAt = '2019-05-01T06:00:00.000Z'
  assert.deepEqual(await service.admin.getUser({ ...tenant, userId: id }), {
    ...{ id, guest: false, methods: ['password', 'otp', 'apple', 'google'] },
    ...{ email: 'ada@example.com', emailVerified: true, phone: '+33612345678', phoneVerified: true },
    restrictedCapabilities: ['upload', 'profile_update'],
    restrictions: [
      { capability: 'upload', reason: 'size', until: null },
      { capability: 'profile_update', reason: null, until: null },
    ],
    suspension: { reason: 'spam', until: '2026-01-16T12:00:00.000Z' },
    ...{ createdAt, lastActiveAt: '2025-12-31T23:59:59.500Z', updatedAt: '2026-01-15T12:00:00.000Z' },
  })
  const { firstName, plan, code, ...profile } = await service.admin.readUserProfile({ ...tenant, userId: id })
  assert.deepEqual([firstName, plan, code, profile.createdAt], ['Ada', 'gold', null, createdAt])
  assert.deepEqual(
    storedRows(service, 'SELECT subject, email FROM identities WHERE user_id = ? ORDER BY subject', id),
    [
      { subject: 'a-1', email: null },
      { subject: 'g-1', email: 'ada@gmail.com' },
    ],
  )
  await refused(
    tenant.client.signIn({ method: 'password', email: 'ada@example.com', password: 'U*U' }),
    'RESTRICTED_CAPABILITY',
  )
})

test('uses defaults for omitted and null members; requires one identifier, except for guests', async () => {
  const tenant = await newTenant()
  const none = { emailVerified: false, passwordHash: null, identities: [], profile: null, suspension: null }
  const { counts } = await importInto(service, tenant, [
    { email: 'a@example.com', phone: null, ...none },
    { phone: '+33612345679', emailVerified: true, phoneVerified: true },
    { email: null, identities: [{ provider: 'facebook', subject: 'f-1', email: null }] },
    { guest: true, profile: {} },
  ])
  assert.equal(counts.imported, 4)
  const users = await usersOf(tenant)
  const methods = users.map(({ methods }) => methods.join()).sort()
  assert.deepEqual(methods, ['', 'facebook', 'guest', 'otp'])
  for (const { id, createdAt, lastActiveAt, emailVerified } of users) {
    assert.match(id, /^[0-9A-HJKMNP-TV-Z]{26}$/)
    assert.deepEqual([createdAt, lastActiveAt], ['2026-01-15T12:00:00.000Z', '2026-01-15T12:00:00.000Z'])
    assert.equal(emailVerified, false)
  }
  assert.equal(storedRows(service, 'SELECT id FROM profiles WHERE tenant_id = ?', tenant.tenantId).length, 1)
})

const secret = 'c2VjcmV0LXNlY3JldC1zZWNyZXQ'
const problems: [row: object | string, validation: Record<string, string>, details?: Record<string, FieldDetail>][] = [
  ['{"email": "broken', { body: 'Invalid JSON' }],
  ['[1]', { body: 'Expected object, received array' }],
  [{}, { email: 'Required' }],
  [{ profile: {}, identities: [], email: null }, { email: 'Required' }],
  [{ email: 'no address' }, { email: 'Invalid email' }],
  [
    { email: 7, phone: '12' },
    {
      email: 'Expected string, received number',
      phone: 'Expected a number with + and its country code, such as +33612345678',
    },
  ],
  [{ email: 'a@b.example', id: 'mine' }, { id: 'Expected a ULID; omit it to have one generated' }],
  [{ email: 'a@b.example', emailVerified: 'yes' }, { emailVerified: 'Expected boolean, received string' }],
  [
    { identities: [{ provider: 'myspace', subject: '' }] },
    {
      'identities.0.provider': 'Invalid enum value',
      'identities.0.subject': 'String must contain at least 1 character(s)',
    },
  ],
  [{ identities: [{ provider: 'google', subject: 's', email: 'a\0b' }] }, { 'identities.0.email': 'Invalid string' }],
  // No ID token has such a `sub`: the user could not sign in.
  ...['1234567890\r', '１２３'].map((subject): (typeof problems)[number] => [
    { identities: [{ provider: 'google', subject }] },
    { 'identities.0.subject': 'Expected the `sub` of an ID token, which has printable ASCII characters only' },
  ]),
  [
    { email: 'a@b.example', restrictions: [{ capability: 'breathe' }] },
    { 'restrictions.0.capability': 'Invalid enum value' },
  ],
  [{ email: 'a@b.example', suspension: { until: 'soon' } }, { 'suspension.until': 'Validation rule not met' }],
  [
    { email: 'a@b.example', createdAt: '2020-01-01' },
    { createdAt: 'Expected a time with Z or an offset, such as 2026-01-31T12:00:00Z' },
  ],
  [
    { email: 'a@b.example', createdAt: '2026-01-16T12:00:00.001Z', lastActiveAt: '2126-01-15T12:00:00Z' },
    { createdAt: 'Expected a time in the past', lastActiveAt: 'Expected a time in the past' },
  ],
  [{ phone: '0612345678' }, { phone: 'Expected a number with + and its country code, such as +33612345678' }],
  [
    { email: 'a@b.example', profile: { firstName: '', code: 'long', plan: 1 } },
    {
      'profile.firstName': 'String must contain at least 1 character(s)',
      'profile.code': 'Validation rule not met',
      'profile.plan': 'Expected string, received number',
    },
    {
      'profile.firstName': { rule: 'minLength', minLength: 1 },
      'profile.code': { rule: 'maxLength', maxLength: 3 },
      'profile.plan': { rule: 'type', expected: 'string' },
    },
  ],
  [{ email: 'a@b.example', guest: true }, { guest: 'Validation rule not met' }],
  [{ guest: true, passwordHash: hash }, { guest: 'Validation rule not met' }],
  [
    { email: 'a@b.example', passwordHash: secret },
    { passwordHash: 'Unknown hash format; give other hashes as an object with algorithm' },
  ],
  [
    { email: 'a@b.example', passwordHash: `$2b$15$${hash.slice(7)}` },
    { passwordHash: 'The cost of bcrypt must be 4 to 14, not 15' },
  ],
  [
    { email: 'a@b.example', passwordHash: `$argon2id$v=19$m=262145,t=2,p=1$${secret}$${secret}` },
    { passwordHash: 'The memory (m) of argon2, in KiB, must be 8 to 262144, not 262145' },
  ],
  [{ email: 'a@b.example', passwordHash: { algorithm: 'md5', hash: secret } }, { passwordHash: 'encoding: Required' }],
  [
    { email: 'a@b.example', passwordHash: { algorithm: 'sha256', encoding: 'base64', hash: secret } },
    { passwordHash: 'The hash must have 32 bytes, not 20' },
  ],
  [{ email: 'a@b.example', passwordHash: 7 }, { passwordHash: 'Expected string or object, received number' }],
]

test('reports each problem by line and field, never the hash, and continues', async () => {
  const tenant = await newTenant()
  const file = problems.flatMap(([row]) => [typeof row === 'string' ? row : JSON.stringify(row), ''])
  const lines = `${file.join('\n')}\n{"email": "last@example.com"}`
  const { counts, errors } = await importInto(service, tenant, lines)
  assert.deepEqual(counts, { read: problems.length + 1, imported: 1, failed: problems.length })
  for (const [index, [, validation, details]] of problems.entries()) {
    const { message } = contractErrors.VALIDATION_ERROR
    const expected = { line: 2 * index + 1, code: 'VALIDATION_ERROR', message, validation, ...(details && { details }) }
    assert.deepEqual(errors[index], expected)
  }
  const told = JSON.stringify(errors) + service.log.join('')
  for (const text of [secret, hash.slice(7)]) assert.ok(!told.includes(text))
  assert.deepEqual(await emailsOf(tenant), ['last@example.com'])
})
