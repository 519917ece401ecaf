import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTenantryClient } from '../packages/client/src/index.ts'
import { addPerson } from '../test/support/person.ts'
import { startTestService, type TestService } from '../test/support/service.ts'
import { type } from './terminal/terminal.testkit.ts'

let service: TestService
let folder: string
before(async () => {
  service = await startTestService()
  folder = await mkdtemp(join(tmpdir(), 'tenantry-cli-'))
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

/** Runs a command that must succeed with empty standard error. */
async function tenantry(words: readonly string[], input = ''): Promise<string> {
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey }
  const { exitCode, output, errors } = await type(words, { env, folder, input })
  assert.equal(errors, '')
  assert.equal(exitCode, 0)
  assert.ok(!output.includes(service.adminKey))
  return output
}

const asked = async (words: readonly string[], input = '') => JSON.parse(await tenantry([...words, '--json'], input))
const newTenant = async (): Promise<string> => (await asked(['tenant', 'create', '--name', 'Acme'])).id

test('creates, shows, suspends, resumes, restricts and deletes a tenant', async () => {
  const made = await asked(['tenant', 'create', '--name', 'Acme & Sons'])
  assert.deepEqual(await service.admin.getTenant({ tenantId: made.id }), made)
  const text = await tenantry(['tenant', 'show', made.id])
  assert.match(text, new RegExp(`^id          ${made.id}\nname        Acme & Sons\nsuspended   no\n`))
  assert.equal((await asked(['tenant', 'suspend', made.id])).suspended, true)
  assert.equal((await asked(['tenant', 'resume', made.id])).suspended, false)
  const restricted = await asked(['tenant', 'restrict', made.id, 'sign_up', 'otp'])
  assert.deepEqual(restricted.restrictedCapabilities, ['sign_up', 'otp'])
  assert.deepEqual((await asked(['tenant', 'restrict', made.id, '--none'])).restrictedCapabilities, [])
  await tenantry(['tenant', 'delete', made.id, '--yes'])
  await assert.rejects(service.admin.getTenant({ tenantId: made.id }), { code: 'TENANT_NOT_FOUND' })
})

test('lists all pages in columns', async () => {
  await using own = await startTestService()
  const env = { TENANTRY_URL: own.baseUrl, TENANTRY_ADMIN_KEY: own.adminKey }
  assert.match(
    (await type(['tenant', 'list'], { env })).output,
    /^There are no tenants\. Create one with "tenantry tenant create/,
  )
  await Promise.all(Array.from({ length: 205 }, (_, index) => own.admin.createTenant({ name: `Tenant ${index}` })))
  const { output } = await type(['tenant', 'list'], { env })
  const lines = output.trimEnd().split('\n')
  assert.equal(lines.length, 206)
  assert.match(lines[0]!, /^ID {26}NAME {8}SUSPENDED {2}RESTRICTED {2}CREATED$/)
  const inJson = await type(['tenant', 'list', '--json'], { env })
  assert.equal(JSON.parse(inJson.output).length, 205)
})

test('creates, rotates and revokes a key', async () => {
  const tenant = await newTenant()
  const made = await asked([
    'key',
    'create',
    '--tenant',
    tenant,
    '--kind',
    'secret',
    '--name',
    'back end',
    '--expires-at',
    '2030-01-31',
  ])
  assert.equal(made.expiresAt, '2030-01-31T00:00:00.000Z')
  const call = (key: string) =>
    createTenantryClient({ baseUrl: service.baseUrl, tenantKey: key }).getTenantConfiguration()
  await call(made.key)
  const rotated = await asked(['key', 'rotate', made.id, '--tenant', tenant, '--overlap-seconds', '0'])
  await assert.rejects(call(made.key), { code: 'INVALID_TENANT_KEY' })
  await call(rotated.key)
  assert.equal((await asked(['key', 'list', '--tenant', tenant])).length, 2)
  assert.ok(!(await tenantry(['key', 'list', '--tenant', tenant])).includes(rotated.key))
  assert.match(await tenantry(['key', 'revoke', rotated.id, '--tenant', tenant]), /^Revoked key /)
  await assert.rejects(call(rotated.key), { code: 'INVALID_TENANT_KEY' })
  const text = await tenantry(['key', 'create', '--tenant', tenant])
  assert.match(
    text,
    /\nkind {5}publishable\n[\s\S]*\nkey {6}tk_pub_\S{77}\n\nThe key is shown only once\. Store it now\.\n$/,
  )
})

test('creates a user with a password from standard input, lists, finds, restricts and deletes it', async () => {
  const { tenantId: tenant, client } = await service.addTenant()
  const create = ['user', 'create', '--tenant', tenant, '--email', 'Ada@example.com', '--password-stdin']
  const made = await asked(create, 'correct horse battery\n')
  await client.signIn({ method: 'password', email: 'ada@example.com', password: 'correct horse battery' })
  await tenantry(['user', 'create', '--tenant', tenant, '--phone', '+33612345678'])
  assert.equal((await asked(['user', 'list', '--tenant', tenant])).length, 2)
  assert.deepEqual(await asked(['user', 'list', '--tenant', tenant, '--email', 'ada@EXAMPLE.com']), [made])
  assert.deepEqual(await asked(['user', 'show', made.id, '--tenant', tenant]), made)
  const restricted = await asked(['user', 'restrict', made.id, 'sign_in', '--tenant', tenant])
  assert.deepEqual(restricted.restrictedCapabilities, ['sign_in'])
  await tenantry(['user', 'delete', made.id, '--tenant', tenant, '--yes'])
  await assert.rejects(service.admin.getUser({ tenantId: tenant, userId: made.id }), { code: 'USER_NOT_FOUND' })
})

test('finds users by address, number and id prefix', async () => {
  const { tenantId: tenant } = await service.addTenant()
  const made = await asked([
    ...['user', 'create', '--tenant', tenant, '--email', 'ada@example.com', '--email-verified'],
    ...['--phone', '+33612345678', '--phone-verified'],
  ])
  assert.deepEqual([made.emailVerified, made.phoneVerified, made.methods], [true, true, ['otp']])
  const list = (...words: string[]) => asked(['user', 'list', '--tenant', tenant, ...words])
  assert.deepEqual(await list('--phone', '+33 6 12 34 56 78'), [made])
  assert.deepEqual(await list('--id', made.id.slice(0, 12).toLowerCase(), '--email', 'ada@example.com'), [made])
  assert.deepEqual(await list('--id', 'ZZZ'), [])
  assert.equal(await tenantry(['user', 'list', '--tenant', tenant, '--id', 'ZZZ']), 'No matching users.\n')
})

test('replaces the addresses of a user', async () => {
  const { tenantId: tenant } = await service.addTenant()
  const { id } = await service.admin.createUser({ tenantId: tenant }, { email: 'ada@example.com' })
  const text = await tenantry(['user', 'update', id, '--tenant', tenant, '--email', 'new@example.com'])
  assert.match(text, /\nemail {11}new@example\.com\nemail verified {2}yes\n/)
  const { phone } = await asked(['user', 'update', id, '--tenant', tenant, '--phone', '+33612345678'])
  assert.equal(phone, '+33612345678')
})

test('sets fields of a profile and shows it', async () => {
  const { tenantId: tenant } = await service.addTenant()
  const components = [
    { name: 'firstName', type: 'text' },
    { name: 'legacyId', type: 'text', writable: false },
  ] as const
  await service.admin.publishProfileSchema({ tenantId: tenant }, { components: [...components] })
  const { id } = await service.admin.createUser({ tenantId: tenant }, { email: 'ada@example.com' })
  const of = [id, '--tenant', tenant]
  await tenantry(['user', 'profile', 'set', id, '-', '--tenant', tenant], '{"firstName": "Ada", "legacyId": "7"}')
  const set = await tenantry(['user', 'profile', 'set', id, '-', '--tenant', tenant], '{"firstName": null}')
  const shown = JSON.parse(await tenantry(['user', 'profile', 'get', ...of]))
  assert.deepEqual(shown, JSON.parse(set))
  assert.deepEqual([shown.firstName, shown.legacyId], [null, '7'])
})

test('suspends, resumes and restricts a user with reason and end', async () => {
  const { tenantId: tenant } = await service.addTenant()
  const { id } = await service.admin.createUser({ tenantId: tenant }, { email: 'ada@example.com' })
  const of = [id, '--tenant', tenant]
  const text = await tenantry(['user', 'suspend', ...of, '--reason', 'spam', '--until', '2030-01-31'])
  assert.match(text, /\nsuspended {7}yes \(spam, until 2030-01-31T00:00:00\.000Z\)\nrestricted {6}-\n/)
  const rows = (await tenantry(['user', 'list', '--tenant', tenant])).split('\n')
  assert.match(rows[0]!, /^ID {26}EMAIL {12}PHONE {2}METHODS {2}SUSPENDED {2}RESTRICTED {2}CREATED$/)
  assert.match(rows[1]!, / {2}yes {8}- {11}2026/)
  assert.equal((await asked(['user', 'resume', ...of])).suspension, null)
  assert.deepEqual((await asked(['user', 'suspend', ...of])).suspension, { reason: null, until: null })
  assert.match(await tenantry(['user', 'show', ...of]), /\nsuspended {7}yes\n/)
  await tenantry(['user', 'resume', ...of])

  const restrict = ['user', 'restrict', ...of, 'upload', 'sign_in', '--reason', 'rude', '--until']
  const until = '2030-01-31T17:00:00.000Z'
  assert.deepEqual((await asked([...restrict, '2030-01-31T18:00:00+01:00'])).restrictions, [
    { capability: 'upload', reason: 'rude', until },
    { capability: 'sign_in', reason: 'rude', until },
  ])
  const shown = await tenantry(['user', 'show', ...of])
  assert.ok(shown.includes(`\nrestricted      upload (rude, until ${until}), sign_in (rude, until ${until})\n`), shown)
  assert.deepEqual((await asked(['user', 'restrict', ...of, '--none'])).restrictions, [])
})

test('lists and ends the sessions of a user, one or all', async () => {
  const tenant = await service.addTenant()
  const { email, password, userId } = await addPerson(service, tenant)
  const of = [userId, '--tenant', tenant.tenantId]
  assert.equal(await tenantry(['user', 'sessions', ...of]), 'The user has no open sessions.\n')
  const signIn = () =>
    tenant.client.signIn({ method: 'password', email, password }, { headers: { 'user-agent': 'Phone\u009b2J' } })
  for (let count = 0; count < 3; count++) await signIn()
  const sessions = await asked(['user', 'sessions', ...of])
  assert.deepEqual({ sessions }, await service.admin.listUserSessions({ tenantId: tenant.tenantId, userId }))
  const rows = (await tenantry(['user', 'sessions', ...of])).trimEnd().split('\n')
  assert.match(rows[0]!, /^ID {26}NETWORK {7}LAST USED {17}CREATED {19}EXPIRES {19}USER AGENT$/)
  assert.match(rows[1]!, / {2}127\.0\.0\.0\/24 {2}[\s\S]*Phone\\u009b2J$/)
  assert.equal(rows.length, 4)
  const [{ id }] = sessions
  assert.equal(await tenantry(['user', 'end-sessions', userId, id, '--tenant', tenant.tenantId]), `Ended: ${id}\n`)
  assert.equal((await asked(['user', 'sessions', ...of])).length, 2)
  assert.equal(await tenantry(['user', 'end-sessions', ...of]), `Ended: all sessions of ${userId}\n`)
  assert.deepEqual(await asked(['user', 'sessions', ...of]), [])
})

test('sets a configuration from a file, patches it from standard input, and shows it', async () => {
  const tenant = await newTenant()
  await writeFile(
    join(folder, 'configuration.json'),
    JSON.stringify({ auth: { methods: ['otp'] }, theme: { dark: true } }),
  )
  const set = JSON.parse(await tenantry(['configuration', 'set', 'configuration.json', '--tenant', tenant]))
  assert.deepEqual(set, { auth: { methods: ['otp'] }, theme: { dark: true } })
  await tenantry(['configuration', 'patch', '-', '--tenant', tenant], '{"theme": null, "otp": {"length": 8}}')
  const shown = JSON.parse(await tenantry(['configuration', 'show', '--tenant', tenant]))
  assert.deepEqual(shown, await service.admin.readConfiguration({ tenantId: tenant }))
  assert.equal(shown.otp?.length, 8)
  assert.ok(!('theme' in shown))
})

test('allows an origin beside those that are allowed, once', async () => {
  const tenant = await newTenant()
  const allow = (origin: string) => ['configuration', 'allow-origin', origin, '--tenant', tenant]
  await service.admin.updateConfiguration({ tenantId: tenant }, { security: { freshSeconds: 60 } })
  assert.equal(await tenantry(allow('https://a.example')), 'allowed  https://a.example\n')
  await tenantry(allow('https://b.example'))
  const { security } = await asked(allow('https://a.example'))
  assert.equal(security.freshSeconds, 60)
  assert.deepEqual(security.allowedOrigins, ['https://a.example', 'https://b.example'])
})

test('loses no origin that is allowed at the same time', async () => {
  const tenant = await newTenant()
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey }
  const origins = [1, 2, 3, 4, 5].map((number) => `https://app-${number}.example`)
  const results = await Promise.all(
    origins.map((origin) => type(['configuration', 'allow-origin', origin, '--tenant', tenant], { env })),
  )
  for (const { exitCode, errors } of results) if (exitCode !== 0) assert.match(errors, /PRECONDITION_FAILED, 412/)
  const { security } = await service.admin.readConfiguration({ tenantId: tenant })
  const allowed = origins.filter((_, index) => results[index]!.exitCode === 0)
  assert.deepEqual(security?.allowedOrigins?.toSorted(), allowed)
})

test('escapes terminal control characters in values', async () => {
  const { id } = await service.admin.createTenant({ name: 'Evil' })
  // Stored before such names were refused.
  const name = 'Evil\u001b[2J\nid  01AAA\u202e\u200f'
  await service.service.services.storage.forTenant(id).tenant.update({ name }, service.clock.now())
  const text = await tenantry(['tenant', 'show', id])
  assert.match(text, /\nname {8}Evil\\u001b\[2J\\u000aid {2}01AAA\\u202e\\u200f\nsuspended/)
})

test('shows an empty list as text, and as [] in JSON', async () => {
  const tenant = await newTenant()
  assert.equal(await tenantry(['user', 'list', '--tenant', tenant]), 'The tenant has no users.\n')
  assert.deepEqual(await asked(['user', 'list', '--tenant', tenant]), [])
})
