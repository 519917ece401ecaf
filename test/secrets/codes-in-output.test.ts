import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { readMail } from '../support/delivery/received-mail.ts'
import { startMailServer } from '../support/delivery/sending.ts'
import { startLocalServer } from '../support/local-server.ts'
import { until } from '../support/until.ts'

let home: string
before(async () => {
  home = await mkdtemp(join(tmpdir(), 'tenantry-codes-'))
})
after(() => rm(home, { recursive: true }))

const adminKey = 'admin-key-of-at-least-32-characters'
const sent = 5

/** Sends codes from a server process and stops it. Returns the codes, and everything that the process wrote. */
async function sendCodes(environment: 'development' | 'staging' | 'production') {
  const mail = await startMailServer()
  const settings = {
    ...{ PORT: '0', HOST: '127.0.0.1', TENANTRY_ENVIRONMENT: environment, TENANTRY_LIMITS: 'all=off' },
    ...{ LOG_LEVEL: 'trace', TENANTRY_REQUEST_LOG: 'on', TENANTRY_DRAIN_SECONDS: '0' },
    ...{ TENANTRY_ADMIN_KEY: adminKey, TENANTRY_MASTER_KEYS: generateMasterKeys(0) },
    ...{ DATABASE_URL: `sqlite:./${environment}.db`, TENANTRY_PUBLIC_URL: 'https://accounts.example.com' },
    ...{ SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=off`, MAIL_FROM: 'Accounts <accounts@example.com>' },
  }
  await using server = await startLocalServer(home, settings)
  const { baseUrl } = server
  const admin = createTenantryAdmin({ baseUrl, adminKey })
  const { id: tenantId } = await admin.createTenant({ name: 'Codes' })
  // Codes of ten digits do not occur by chance.
  await admin.updateConfiguration({ tenantId }, { auth: { methods: ['otp'] }, otp: { length: 10 } })
  const { key } = await admin.createTenantKey({ tenantId }, { name: 'app' })
  const app = createTenantryClient({ baseUrl, tenantKey: key })
  for (let n = 0; n < sent; n++) await app.issueOtp({ scope: 'otp_signin', email: `user.${n}@example.com` })

  async function readCodes(): Promise<(string | null | undefined)[]> {
    if (environment === 'production') return mail.received.map((each) => readMail(each).code)
    return (await admin.listTestingChannelMessages({ tenantId })).messages.map(({ code }) => code)
  }
  let codes = await readCodes()
  await until(async () => {
    codes = await readCodes()
    return codes.length === sent
  })
  for (const code of codes) assert.match(code ?? '', /^\d{10}$/)
  server.child.kill('SIGTERM')
  assert.equal(await server.ended, 0)
  return { codes: codes as string[], output: server.output() }
}

test('a development server prints every code', async () => {
  const { codes, output } = await sendCodes('development')
  for (const code of codes)
    assert.match(output, new RegExp(`^Code for user\\.\\d@example\\.com to sign in: ${code}$`, 'm'))
})

for (const environment of ['staging', 'production'] as const) {
  test(`a ${environment} server writes no code, at any log level`, async () => {
    const { codes, output } = await sendCodes(environment)
    assert.match(output, /"level":30/)
    assert.deepEqual(
      codes.filter((code) => output.includes(code)),
      [],
    )
    assert.doesNotMatch(output, /^Code for/m)
  })
}
