import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTenantryAdmin, type TenantryAdmin } from '../../packages/client/src/admin.ts'
import { blocksOf, meaningOf, readPage } from '../support/documentation/page-blocks.ts'
import { type PageServer, startPageServer } from '../support/documentation/page-server.ts'
import { until } from '../support/until.ts'

const adminKey = 'admin-key-of-the-provider-guides-32'
const pathOf = (provider: string): string => join('docs/guides', `sign-in-with-${provider}.md`)
const google = await readPage(pathOf('google'))
const textOf = (page: string, language: string, part: string): string =>
  blocksOf(page).find(({ language: found, text }) => found === language && text.includes(part))?.text ??
  assert.fail(part)

/** Starts the stand-in as section 5 does; returns what it prints for the terminals, and its end. */
async function startStandIn() {
  const [, script = assert.fail('no script')] =
    /^node --input-type=module -e "\n([\s\S]*)"\n$/.exec(textOf(google, 'sh', 'startIdentityProvider')) ?? []
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    cwd: join(import.meta.dirname, '../..'),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  await until(() => child.exitCode !== null || output.split('\n').length > 3)
  const exported = Object.fromEntries([...output.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!]))
  return { exported, stop: () => (child.kill() ? once(child, 'close') : undefined) }
}

let standIn: Awaited<ReturnType<typeof startStandIn>>
let server: PageServer
let admin: TenantryAdmin
before(async () => {
  standIn = await startStandIn()
  const { TENANTRY_GOOGLE_ISSUER = '', TENANTRY_GOOGLE_JWKS_URL = '' } = standIn.exported
  server = await startPageServer({ TENANTRY_ADMIN_KEY: adminKey, TENANTRY_GOOGLE_ISSUER, TENANTRY_GOOGLE_JWKS_URL })
  admin = createTenantryAdmin({ baseUrl: server.server.baseUrl, adminKey })
})
after(async () => {
  await server?.[Symbol.asyncDispose]()
  await standIn?.stop()
})

/** Runs a command with these variables. */
const runWith = (variables: Record<string, string>, command: string): Promise<string> =>
  server.run([...Object.entries(variables).map(([name, value]) => `${name}='${value}'`), command].join('\n'))

test(`the commands of ${pathOf('google')} sign in with its stand-in and print what it shows`, async () => {
  const { CLIENT_ID = '', NONCE = '', ID_TOKEN = '' } = standIn.exported
  const { id: TENANT } = await admin.createTenant({ name: 'Acme' })
  const { key: TENANT_KEY } = await admin.createTenantKey({ tenantId: TENANT }, { name: 'web' })
  const configure = textOf(google, 'sh', 'curl -X PATCH').replace(
    '123456789012-web.apps.googleusercontent.com',
    CLIENT_ID,
  )
  await runWith({ TENANT }, configure)
  const call = textOf(google, 'sh', '/auth/sign-in')
  const answer = JSON.parse(await runWith({ TENANT_KEY, ID_TOKEN, NONCE }, call))
  assert.deepEqual(meaningOf(JSON.parse(textOf(google, 'json', '"accessToken"')), answer), answer)
  const again = JSON.parse(await runWith({ TENANT_KEY, ID_TOKEN, NONCE }, call))
  assert.equal(again.error.code, 'INVALID_SOCIAL_TOKEN', 'a token works once')
})

for (const name of ['google', 'apple', 'facebook'] as const) {
  test(`the configuration of ${pathOf(name)} is accepted`, async () => {
    const { id: TENANT } = await admin.createTenant({ name })
    const page = await readPage(pathOf(name))
    const { data } = JSON.parse(await runWith({ TENANT }, textOf(page, 'sh', 'curl -X PATCH')))
    assert.deepEqual(data.auth.methods, ['password', name])
    assert.ok(data.auth[name].clientIds.length > 0)
  })
}
