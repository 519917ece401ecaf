import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { createTenantryAdmin, type TenantryAdmin } from '../../packages/client/src/admin.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { parseLimits } from '../../server/limits/limit-settings.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { newWebhookSecret, startMailServer } from '../support/delivery/sending.ts'
import { startSendingService } from '../support/delivery/sending-service.ts'
import { understand } from '../support/deploy/manifests.ts'
import { blocksOf, isShown, readPage, sectionsOf } from '../support/documentation/page-blocks.ts'
import { type PageServer, startPageServer } from '../support/documentation/page-server.ts'
import { freePort } from '../support/free-port.ts'
import { runProgram } from '../support/local-server.ts'
import { until } from '../support/until.ts'

const page = await readPage('docs/guides/first-e-mail-and-sms.md')
const sectionOf = sectionsOf(page)
const textOf = (heading: string, language: string): string =>
  blocksOf(sectionOf(heading)).find((block) => block.language === language)?.text ?? assert.fail(heading)

const filledIn: Record<string, string> = {
  TENANTRY_ADMIN_KEY: 'production-admin-key-of-at-least-32-characters',
  TENANTRY_MASTER_KEYS: generateMasterKeys(0),
  TWILIO_ACCOUNT_SID: `AC${'0'.repeat(32)}`,
  TWILIO_AUTH_TOKEN: '0'.repeat(32),
}

/** The settings of section 1 as a shell reads them, with what the reader fills in. */
async function readSettings(): Promise<Record<string, string>> {
  const block = textOf('1. Settings', 'ini')
  const { stdout } = await promisify(execFile)('env', ['-i', '/bin/sh', '-eac', `${block}\nenv`])
  const names = new Set([...block.matchAll(/^(\w+)=/gm)].map(([, name]) => name!))
  const entries = stdout.split('\n').map((line) => line.split(/=(.*)/) as [string, string])
  const settings = Object.fromEntries(entries.filter(([name]) => names.has(name)))
  for (const [name, value] of Object.entries(settings)) if (value.includes('…')) settings[name] = filledIn[name]!
  return settings
}

let hasMailbox = false
let mail: Awaited<ReturnType<typeof startMailServer>>
let server: PageServer
let baseUrl: string
let admin: TenantryAdmin
let failedMessage = ''
before(async () => {
  mail = await startMailServer({
    refuse: {
      ...{ at: 'rcpt', code: 550, reply: () => '5.1.1 no such mailbox here' },
      when: (received) => !hasMailbox && received.includes('ada@example.com'),
    },
  })
  const { TWILIO_ACCOUNT_SID: _, TWILIO_AUTH_TOKEN: __, TWILIO_FROM: ___, ...settings } = await readSettings()
  const [port, adminPort] = [String(await freePort()), String(await freePort())]
  baseUrl = `http://127.0.0.1:${port}`
  server = await startPageServer(
    {
      ...settings,
      HOST: '127.0.0.1',
      PORT: port,
      ADMIN_PORT: adminPort,
      DATABASE_URL: 'sqlite:./data/tenantry.db',
      TENANTRY_DRAIN_SECONDS: '0',
      SMTP_URL: /`SMTP_URL=(smtp:\/\/127.0.0.1:2525\S+)`/.exec(page)![1]!.replace('2525', String(mail.port)),
    },
    () => ({
      [`http://127.0.0.1:${settings['ADMIN_PORT']}`]: `http://127.0.0.1:${adminPort}`,
      'TENANTRY_ADMIN_KEY=…': `TENANTRY_ADMIN_KEY=${filledIn['TENANTRY_ADMIN_KEY']}`,
      '01M7YX9820154BPB3W33REQBMX': failedMessage,
    }),
  )
  admin = createTenantryAdmin({
    baseUrl: `http://127.0.0.1:${adminPort}`,
    adminKey: filledIn['TENANTRY_ADMIN_KEY']!,
  })
})
after(() => server?.[Symbol.asyncDispose]())

test('the server knows and accepts the settings of section 1 and the limits of section 8', async () => {
  const env = await readSettings()
  const { config, looked } = understand({ name: 'guide', env, secrets: new Map() }, '')
  assert.equal(config.environment, 'production')
  assert.deepEqual(
    Object.keys(env).filter((name) => !looked.has(name)),
    [],
  )
  const [, limits] = /^TENANTRY_LIMITS=(.*)$/m.exec(textOf('8. SMS fraud', 'sh')) ?? assert.fail()
  assert.notDeepEqual(parseLimits(limits), parseLimits(''))
})

test('the commands of the guide send, preview, find and retry messages and print what it shows', async () => {
  await server.runPage(sectionOf('3. Send a test message'))
  assert.deepEqual(
    mail.received.map(({ to }) => to),
    [['you@example.com']],
  )
  await server.runPage(sectionOf('5. Texts and languages'))

  const [tenant = assert.fail()] = (await admin.listTenants()).items
  const { key: tenantKey } = await admin.createTenantKey({ tenantId: tenant.id }, { name: 'web' })
  const client = createTenantryClient({ baseUrl, tenantKey })
  await client.signUp({ method: 'password', email: 'ada@example.com', password: 'a long first one' })
  await client.resetPassword({ step: 'challenge', email: 'ada@example.com' })
  await until(async () => {
    const { items } = await admin.listMessages({ tenantId: tenant.id }, { state: 'failed' })
    failedMessage = items[0]?.id ?? ''
    return failedMessage !== ''
  })
  const [find = '', retry = assert.fail()] = sectionOf('6. Find and retry a message').split(/(?=After the mailbox)/)
  await server.runPage(find)
  hasMailbox = true
  await server.runPage(retry)
  await until(() => mail.received.at(-1)?.to[0] === 'ada@example.com')
})

test('the configurations of the guide are accepted', async () => {
  const { id: tenantId } = await admin.createTenant({ name: 'Other' })
  server.known['id'] = tenantId
  const senders = textOf('4. Senders of a tenant', 'json')
    .replaceAll('"AC…"', `"${filledIn['TWILIO_ACCOUNT_SID']}"`)
    .replace('"authToken": "…"', `"authToken": "${filledIn['TWILIO_AUTH_TOKEN']}"`)
    .replaceAll('"MG…"', `"MG${'0'.repeat(32)}"`)
    .replaceAll('"whsec_…"', `"${newWebhookSecret()}"`)
  await writeFile(join(server.folder, 'delivery.json'), senders)
  await server.runPage(sectionOf('4. Senders of a tenant'))
  const liquid = textOf('5. Texts and languages', 'liquid').trim()
  const own = { email_changed: { sms: { en: { text: liquid } } } }
  for (const delivery of [JSON.parse(textOf('5. Texts and languages', 'json')).delivery, { templates: own }]) {
    await admin.updateConfiguration({ tenantId }, { delivery })
  }
  const { delivery } = await admin.readConfiguration({ tenantId })
  const shown = JSON.parse(textOf('4. Senders of a tenant', 'json')).delivery
  assert.deepEqual(delivery?.smsCountries, shown.smsCountries)
  assert.deepEqual(delivery?.templates?.email_changed, own.email_changed)
})

test('the receiver of section 7 accepts a signed message and prints it', async () => {
  const port = await freePort()
  const secret = newWebhookSecret()
  const file = join(server.folder, 'receiver.mjs')
  await writeFile(file, textOf('7. Any other gateway: signed HTTP', 'js').replace('8080', String(port)))
  await using receiver = runProgram(relative(join(import.meta.dirname, '../..'), file), [], server.folder, {
    GATEWAY_SECRET: secret,
  })
  const url = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(url).then(
      ({ status }) => status === 401,
      () => false,
    ),
  )
  await using service = await startSendingService([], { start: Date.now() })
  const sms = [{ type: 'http', url, secret }]
  const { tenantId } = await service.addTenant({ configuration: { delivery: { sms } } })
  const report = await service.admin.sendTestMessage({ tenantId }, { method: 'sms', to: '+33612345678' })
  assert.deepEqual(
    report.attempts.map(({ problem }) => problem),
    [null],
  )
  const shown = textOf('7. Any other gateway: signed HTTP', '')
  await until(() => receiver.output().endsWith('\n'))
  assert.ok(isShown(shown, receiver.output()), receiver.output())
})

test('without a sender the server does not start and prints what section 1 shows', async () => {
  const isShownIn = ({ message }: Error) =>
    textOf('1. Settings', '')
      .trim()
      .split('\n')
      .every((line) => message.split('\n').some((printed) => isShown(line, printed)))
  await assert.rejects(server.restart({ SMTP_URL: undefined, MAIL_FROM: undefined }), isShownIn)
})
