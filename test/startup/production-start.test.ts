import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { readConfig } from '../../server/settings/read-config.ts'
import { ConfigError } from '../../server/settings/settings-reader.ts'
import { openTestDatabase } from '../support/databases/open-database.ts'
import type { TestDatabase } from '../support/databases/test-database.ts'
import { readMail } from '../support/delivery/received-mail.ts'
import { startMailServer } from '../support/delivery/sending.ts'
import type { SmtpPeer } from '../support/peers/smtp-peer.ts'
import { refused } from '../support/refused.ts'
import { until } from '../support/until.ts'

const script = join(import.meta.dirname, '../../server/start.js')
const adminKey = 'production-admin-key-of-at-least-32-characters'
const masterKeys = generateMasterKeys(0)

/** Killed at the end, even if a test failed. */
const children: ChildProcess[] = []
let folder: string
let mail: SmtpPeer
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-production-'))
  mail = await startMailServer()
})
after(async () => {
  for (const child of children) child.kill('SIGKILL')
  await Promise.all([...databases.values()].map((database) => database.release()))
  await rm(folder, { recursive: true, force: true })
})

const databases = new Map<string, TestDatabase>()
/** The database of this name, the same for each process started on it. */
function databaseOf(name: string): TestDatabase {
  const database = databases.get(name) ?? openTestDatabase()
  databases.set(name, database)
  return database
}
/** All settings that production requires, without a sender. */
const bare = (name: string): Record<string, string> => ({
  PORT: '0',
  HOST: '127.0.0.1',
  TENANTRY_ENVIRONMENT: 'production',
  TENANTRY_DRAIN_SECONDS: '0',
  TENANTRY_PUBLIC_URL: 'https://accounts.example.com',
  DATABASE_URL: databaseOf(name).url,
  TENANTRY_ADMIN_KEY: adminKey,
  TENANTRY_MASTER_KEYS: masterKeys,
  TENANTRY_LIMITS: 'all=off',
})
const mailSettings = ({ port }: SmtpPeer) => ({
  SMTP_URL: `smtp://127.0.0.1:${port}?tls=off`,
  MAIL_FROM: 'Example Accounts <accounts@example.com>',
})

interface Started {
  readonly child: ChildProcess
  readonly output: () => string
  /** Exit code; null after a signal. */
  readonly ended: Promise<number | null>
}

function start(env: Record<string, string>): Started {
  const child = spawn(process.execPath, [script], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  children.push(child)
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
    })
  }
  return { child, output: () => output, ended: once(child, 'close').then(([code]) => code as number | null) }
}

async function startListening(env: Record<string, string>) {
  const started = start(env)
  const address = () => /Server listening at (http:\/\/[\d.:]+)/.exec(started.output())?.[1]
  let over = false
  void started.ended.then(() => {
    over = true
  })
  await until(() => over || address() !== undefined)
  const baseUrl = address()
  assert.ok(baseUrl !== undefined, started.output())
  return { ...started, baseUrl, admin: createTenantryAdmin({ baseUrl, adminKey }) }
}

/** The output of a start that fails. */
async function refusal(env: Record<string, string>): Promise<string> {
  const { ended, output } = start(env)
  assert.equal(await ended, 1, output())
  assert.match(output(), /^Tenantry failed to start:$/m)
  assert.doesNotMatch(output(), /\n\s+at /, 'no stack')
  return output()
}

/** The problems of settings, as a failed start prints them. */
function problemsOf(env: Record<string, string>): string {
  try {
    readConfig(env)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.problems.map((problem) => `  ${problem}`).join('\n')
  }
  assert.fail('the settings are valid')
}

test('production does not start without its secrets, names each, and generates none', async () => {
  // An empty value counts as unset.
  const unset = { TENANTRY_ADMIN_KEY: '', TENANTRY_MASTER_KEYS: '' }
  const output = await refusal({ ...bare('secrets'), ...mailSettings(mail), ...unset })
  assert.match(output, /^ {2}TENANTRY_ADMIN_KEY: required; set it to a secret of at least 32 characters/m)
  assert.match(output, /^ {2}TENANTRY_MASTER_KEYS: required in production; set it to kid:base64 of 32 random bytes$/m)
})

test('starts without a root key once an operator can administer operators', async () => {
  const [settings, off] = [bare('operators'), { ...bare('operators'), TENANTRY_ADMIN_KEY: 'off' }]
  assert.match(await refusal(off), /^ {2}TENANTRY_ADMIN_KEY: off, but no operator could administer operators; /m)
  const first = await startListening(settings)
  const { key } = await first.admin.createOperator({ name: 'Owner', role: 'owner' })
  first.child.kill('SIGTERM')
  assert.equal(await first.ended, 0)
  const second = await startListening(settings)
  assert.match(second.output(), /set TENANTRY_ADMIN_KEY=off to retire/)
  second.child.kill('SIGTERM')
  assert.equal(await second.ended, 0)
  const { admin, baseUrl, child, ended } = await startListening(off)
  await refused(admin.listTenants(), 'INVALID_ADMIN_KEY')
  await createTenantryAdmin({ baseUrl, adminKey: key }).listTenants()
  child.kill('SIGTERM')
  assert.equal(await ended, 0)
})

test('names an incomplete and an invalid sender without their values', () => {
  const password = 'canary%23password'
  const output = problemsOf({
    ...bare('half'),
    SMTP_URL: `smtp://user:${password}@smtp.example.com:587?tls=never`,
    TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  })
  assert.match(output, /^ {2}SMTP_URL: /m)
  assert.match(output, /^ {2}TWILIO_AUTH_TOKEN and TWILIO_FROM: set all of/m)
  assert.doesNotMatch(output, /canary/)
  assert.match(
    problemsOf({ ...bare('half'), SMTP_URL: mailSettings(mail).SMTP_URL }),
    /^ {2}MAIL_FROM: required with SMTP_URL; set it/m,
  )
})

test('starts with SMTP_URL and MAIL_FROM, and delivers a code', async () => {
  const server = await startListening({ ...bare('mail'), ...mailSettings(mail) })
  const { id: tenantId } = await server.admin.createTenant({ name: 'Example' })
  await server.admin.updateConfiguration({ tenantId }, { auth: { methods: ['password', 'otp'] } })
  const { key: tenantKey } = await server.admin.createTenantKey({ tenantId }, {})
  const app = createTenantryClient({ baseUrl: server.baseUrl, tenantKey })
  const { id } = await app.issueOtp({ scope: 'otp_signin', email: 'jane@example.org' })
  await until(() => mail.received.length > 0)
  const { code } = readMail(mail.received[0]!)
  await app.verifyOtp({ id, scope: 'otp_signin', code: code! })
  assert.ok(!server.output().includes(code!) && !server.output().includes('jane@'))
  assert.doesNotMatch(server.output(), /next start/)
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
})

test('does not start without an e-mail sender for a tenant that needs one, and names the tenant', async () => {
  const output = await refusal(bare('mail'))
  assert.match(
    output,
    /^ {2}Tenant "Example" \(\w+\) has password sign-in.+: set SMTP_URL and MAIL_FROM, or delivery\.email/m,
  )
  assert.deepEqual(databaseOf('mail').ask("SELECT id FROM outbox WHERE state = 'sending'"), [])
})

test('warns of the next startup when such a tenant is created or loses its sender', async () => {
  const server = await startListening(bare('warned'))
  const warnings = () => server.output().match(/The next start will be refused: Tenant [^"]*"Later/g)?.length ?? 0
  const { id: tenantId } = await server.admin.createTenant({ name: 'Later' })
  await until(() => warnings() === 1)
  const email = [{ type: 'smtp', host: 'smtp.example.com', user: 'apikey', password: 'canary-password' }]
  await server.admin.updateConfiguration({ tenantId }, { delivery: { email } })
  await server.admin.replaceConfiguration({ tenantId }, { auth: { methods: ['password'] } })
  await until(() => warnings() === 2)
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  assert.match(await refusal(bare('warned')), /Tenant "Later"/)
})

test('starts when that tenant has a sender, and warns that no SMS can be sent', async () => {
  const server = await startListening({ ...bare('mail'), ...mailSettings(mail) })
  const { items } = await server.admin.listTenants({})
  const email = [{ type: 'smtp', host: 'smtp.example.com', user: 'apikey', password: 'canary-password' }]
  await server.admin.updateConfiguration({ tenantId: items[0]!.id }, { delivery: { email } })
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  const alone = await startListening(bare('mail'))
  assert.match(alone.output(), /Tenant \\"Example\\".+nothing sends SMS: phone numbers are refused/)
  assert.doesNotMatch(alone.output(), /canary/)
  alone.child.kill('SIGTERM')
  assert.equal(await alone.ended, 0)
})

test('production has no routes of the testing channel and no setting for them; an unexpected error ends it', async () => {
  const url = 'https://hooks.example.com/canary'
  const output = problemsOf({ ...bare('channel'), ...mailSettings(mail), TENANTRY_TESTING_CHANNEL_URL: url })
  assert.match(output, /^ {2}TENANTRY_TESTING_CHANNEL_URL: not available in production; unset it$/m)
  const unknown = problemsOf({ ...bare('channel'), ...mailSettings(mail), TENANTRY_TESTING_CHANNEL: 'on' })
  assert.match(unknown, /^ {2}TENANTRY_TESTING_CHANNEL: /m)
  const fault = "data:text/javascript,process.once('SIGCONT',()=>{throw(new(Error)('unforeseen'))})"
  const env = { ...bare('channel'), ...mailSettings(mail), NODE_ENV: 'development', NODE_OPTIONS: `--import=${fault}` }
  const server = await startListening(env)
  await refused(server.admin.listTestingChannelMessages({}), 'NOT_FOUND')
  const headers = { authorization: `Bearer ${adminKey}` }
  for (const path of ['messages', 'stream', 'messages/', 'Messages'])
    assert.equal((await fetch(`${server.baseUrl}/admin/testing-channel/${path}`, { headers })).status, 404)
  server.child.kill('SIGCONT')
  assert.equal(await server.ended, 1)
  assert.match(server.output(), /unforeseen.*"msg":"unexpected error; shutting down"/)
})

test('on SIGTERM with hanging senders exits within ten seconds; the next process sends the rest', async (t) => {
  const hanging = await startMailServer({ hangAt: 'data' })
  const server = await startListening({ ...bare('hanging'), ...mailSettings(hanging) })
  const { id: tenantId } = await server.admin.createTenant({ name: 'Example' })
  await server.admin.updateConfiguration({ tenantId }, { auth: { methods: ['otp'] } })
  const { key: tenantKey } = await server.admin.createTenantKey({ tenantId }, {})
  const app = createTenantryClient({ baseUrl: server.baseUrl, tenantKey })
  const people = Array.from({ length: 40 }, (_, person) => `person-${person}@example.org`)
  await Promise.all(people.map((email) => app.issueOtp({ scope: 'otp_signin', email })))
  await until(() => hanging.received.length > 0)
  const begun = performance.now()
  server.child.kill('SIGTERM')
  const code = await server.ended
  const took = performance.now() - begun
  t.diagnostic(`ended with ${code} after ${(took / 1000).toFixed(1)} s`)
  assert.ok(took < 10_000)
  assert.equal(code, 0)
  const next = await startListening({ ...bare('hanging'), ...mailSettings(mail) })
  const arrived = () => new Set(mail.received.map(({ to }) => to[0]).filter((to) => to?.startsWith('person-')))
  await until(() => arrived().size === 40)
  next.child.kill('SIGTERM')
  assert.equal(await next.ended, 0)
})
