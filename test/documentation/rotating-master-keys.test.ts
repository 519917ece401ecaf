import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { createTenantryAdmin } from '../../packages/client/src/admin.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import { readKeptSecrets } from '../../server/settings/kept-secrets.ts'
import { startMailServer } from '../support/delivery/sending.ts'
import { blocksOf, readPage, sectionsOf } from '../support/documentation/page-blocks.ts'
import { type PageServer, startPageServer } from '../support/documentation/page-server.ts'
import { until } from '../support/until.ts'

const page = await readPage('docs/guides/rotating-master-keys.md')
const sectionOf = sectionsOf(page)

const newKey = (id: string): string => generateMasterKeys(0).replace(/^[\w-]+/, id)
const adminKey = 'production-admin-key-of-at-least-32-characters'

/** Resolves once the log of events has its first checkpoint, for which a key is generated. */
async function checkpointMade({ folder }: PageServer): Promise<void> {
  using database = new DatabaseSync(join(folder, 'data/tenantry.db'), { readOnly: true, timeout: 10_000 })
  await until(() => database.prepare('SELECT count(*) AS n FROM checkpoint_keys').get()?.['n'] === 1)
}

/** What the guide counts: three codes, and a tenant with two senders. Returns what a user of the time before has. */
async function fill(server: PageServer, receivedMails: () => number) {
  const { baseUrl } = server.server
  const admin = createTenantryAdmin({ baseUrl, adminKey })
  const { id: tenantId } = await admin.createTenant({ name: 'Acme' })
  const { key: tenantKey } = await admin.createTenantKey({ tenantId }, { name: 'web' })
  const client = createTenantryClient({ baseUrl, tenantKey })
  const { refreshToken } = await client.signUp({
    method: 'password',
    email: 'ada@example.com',
    password: 'a long first one',
  })
  await admin.updateConfiguration({ tenantId }, { auth: { methods: ['password', 'otp'] } })
  for (const name of ['one', 'two', 'three'])
    await client.issueOtp({ scope: 'otp_signin', email: `${name}@example.com` })
  await until(() => receivedMails() === 3)
  const { id: other } = await admin.createTenant({ name: 'Other' })
  const sender = (name: string) => ({ type: 'smtp', name, host: `${name}.example.com`, user: 'me', password: name })
  await admin.updateConfiguration(
    { tenantId: other },
    { delivery: { from: { address: 'other@example.com', name: 'Other' }, email: [sender('main'), sender('spare')] } },
  )
  await checkpointMade(server)
  return { tenantKey, refreshToken }
}

test('the commands for one server print what the guide shows, and without the old key a session continues', async () => {
  const mail = await startMailServer()
  const first = newKey('k1')
  await using server = await startPageServer({
    HOST: '127.0.0.1',
    TENANTRY_ENVIRONMENT: 'production',
    TENANTRY_DRAIN_SECONDS: '0',
    TENANTRY_PUBLIC_URL: 'https://accounts.example.com',
    TENANTRY_ADMIN_KEY: adminKey,
    TENANTRY_MASTER_KEYS: first,
    SMTP_URL: `smtp://127.0.0.1:${mail.port}?tls=off`,
    MAIL_FROM: 'Example Accounts <accounts@example.com>',
  })
  const { tenantKey, refreshToken } = await fill(server, () => mail.received.length)
  let second = ''
  await server.runPage(sectionOf('With one server'), {
    'restart the server with the new key first: TENANTRY_MASTER_KEYS=k2:…,k1:…': (printed) => {
      second = printed.trim()
      return server.restart({ TENANTRY_MASTER_KEYS: `${second},${first}` })
    },
  })
  await server.restart({ TENANTRY_MASTER_KEYS: second })
  const client = createTenantryClient({ baseUrl: server.server.baseUrl, tenantKey })
  assert.ok((await client.refreshSession({ refreshToken })).accessToken)
})

test('the steps for several servers move all data to the new key', async () => {
  const [k1, k2] = [newKey('k1'), newKey('k2')]
  await using server = await startPageServer({ TENANTRY_MASTER_KEYS: k1 })
  await checkpointMade(server)
  const rows = [...sectionOf('With several servers').matchAll(/^\| (?<step>\d) \|(?<keys>[^|]*)\| (?<what>.*) \|$/gm)]
  const output: string[] = []
  for (const { groups: { step, keys = '', what = '' } = {} } of rows) {
    assert.equal(Number(step), output.length + 1)
    const command = /`(tenantry .*)`/.exec(what)?.[1]
    assert.equal(command === undefined, /restart all/.test(what))
    if (command === undefined) {
      const settings = keys.trim().replaceAll('`', '').replace('k1:…', k1).replace('k2:…', k2)
      await server.restart({ TENANTRY_MASTER_KEYS: settings })
    }
    output.push(await server.run(command ?? 'npm run -s tenantry -- master-key rotate || :'))
  }
  const everything = '1 signing keys, 1 checkpoint keys'
  const [one = '', two = '', three = '', four = '', ...others] = output
  assert.deepEqual(others, [])
  assert.match(
    one,
    new RegExp(`^Re-encrypted with k1: nothing\\.\\nEncrypted with k1: ${everything}.*\\nk2 encrypts no data`),
  )
  assert.match(two, new RegExp(`^Encrypted with k1: ${everything}`))
  assert.match(
    three,
    new RegExp(`^Re-encrypted with k2: ${everything}.*\\nEncrypted with k2: ${everything}.*\\nk1 encrypts no data`),
  )
  assert.match(four, new RegExp(`^Re-encrypted with k2: nothing\\.\\nEncrypted with k2: ${everything}.*\\n$`))
})

test('the commands for generated keys print what the guide shows', async () => {
  let first = ''
  await using server = await startPageServer({}, (_, folder) => {
    const ids = (readKeptSecrets(join(folder, 'data/secrets.json')).masterKeys ?? '')
      .split(',')
      .map((key) => key.split(':')[0]!)
    first ||= ids[0]!
    return { 'k20270115-1e0a7c36': ids[0]!, 'k20260115-94b2f8d0': first }
  })
  await checkpointMade(server)
  const restart = () => server.restart()
  await server.runPage(sectionOf('Generated keys'), { 'restart the server': restart, '30 days later': async () => {} })
  const { masterKeys } = readKeptSecrets(join(server.folder, 'data/secrets.json'))
  assert.equal(masterKeys?.split(',').length, 1)
})

test('no block has two steps of a rotation, because the reader acts between them', () => {
  const several = blocksOf(page).filter(
    ({ language, text }) => language === 'sh' && text.split('master-key ').length > 2,
  )
  assert.deepEqual(several, [])
})
