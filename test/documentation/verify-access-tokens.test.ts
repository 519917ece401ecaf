import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { createTenantryAdmin, type TenantryAdmin } from '../../packages/client/src/admin.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { readKeptSecrets } from '../../server/settings/kept-secrets.ts'
import { blocksOf, readPage } from '../support/documentation/page-blocks.ts'
import { type PageServer, startPageServer } from '../support/documentation/page-server.ts'
import { freePort } from '../support/free-port.ts'

const page = await readPage('docs/guides/verify-access-tokens.md')
const blocks = blocksOf(page)
const textOf = (heading: string, language: string): string =>
  blocks.find((block) => block.heading === heading && block.language === language)?.text ?? assert.fail(heading)
/** The first cells of the rows of a section's table. */
const firstCells = (heading: string): string[] =>
  [
    ...page
      .split(`## ${heading}\n`)[1]!
      .split('\n#')[0]!
      .matchAll(/^\| (`.*?`) \|/gm),
  ].map(([, cell]) => cell!)

let server: PageServer
let issuer: string
let admin: TenantryAdmin
let demo: { tenantId: string; tenantKey: string }
before(async () => {
  const port = String(await freePort())
  issuer = `http://127.0.0.1:${port}`
  server = await startPageServer({ PORT: port }, () => ({ 'https://accounts.example.com': issuer }))
  const kept = readKeptSecrets(join(server.folder, 'data/secrets.json'))
  demo = kept.demo!
  admin = createTenantryAdmin({ baseUrl: issuer, adminKey: kept.adminKey! })
  await symlink(join(import.meta.dirname, '../../node_modules'), join(server.folder, 'node_modules'))
  await admin.updateConfiguration({ tenantId: demo.tenantId }, { auth: { methods: ['password', 'guest'] } })
  const field = JSON.parse(textOf('Claims from the profile', 'json'))
  await admin.publishProfileSchema({ tenantId: demo.tenantId }, { components: [field] })
})
after(() => server?.[Symbol.asyncDispose]())

const clientOf = (tenantKey = demo.tenantKey) => createTenantryClient({ baseUrl: issuer, tenantKey })
const person = (name: string) =>
  ({ method: 'password', email: `${name}@example.com`, password: 'a long first one' }) as const

/** Runs the code of the page that verifies a token with jose, and then what the page decides by the plan. */
async function verify(token: string): Promise<string> {
  const code = textOf('Node.js with jose', 'ts')
    .replace('https://accounts.example.com', issuer)
    .replace(/(?<=audience = ')\w+/, demo.tenantId)
  const decision = blocks.filter(({ heading, language }) => heading === 'Claims from the profile' && language === 'ts')
  const path = join(server.folder, 'verify.mjs')
  const said = 'console.log(payload.sub)\n'
  await writeFile(path, [`const token = '${token}'\n`, code, said, ...decision.map(({ text }) => text), said].join(''))
  return (await promisify(execFile)(process.execPath, [path])).stdout
}

test('the code for jose accepts a token of the tenant, and its decision follows the claim', async () => {
  const { accessToken, user, refreshToken } = await clientOf().signUp(person('ada'))
  await assert.rejects(verify(accessToken), { stdout: `${user.id}\n`, stderr: /This feature needs the plan "pro"/ })
  await admin.updateUserProfile({ tenantId: demo.tenantId, userId: user.id }, { plan: 'pro' })
  const refreshed = await clientOf().refreshSession({ refreshToken })
  assert.equal(await verify(refreshed.accessToken), `${user.id}\n${user.id}\n`)
  assert.deepEqual(
    { alg: 'ES256', typ: 'at+jwt', kid: '' },
    { ...decodeProtectedHeader(refreshed.accessToken), kid: '' },
  )

  const { id: tenantId } = await admin.createTenant({ name: 'Other' })
  const { key } = await admin.createTenantKey({ tenantId }, { name: 'web' })
  const other = await clientOf(key).signUp(person('ada'))
  await assert.rejects(verify(other.accessToken), { stdout: '', stderr: /"aud"/ })
})

test('the page lists the claims of every token, and no others', async () => {
  const { accessToken } = await clientOf().signUp(person('claims'))
  const { accessToken: ofGuest } = await clientOf().signIn({ method: 'guest' })
  const claims = new Set([accessToken, ofGuest].flatMap((token) => Object.keys(decodeJwt(token))))
  const listed = firstCells('What the claims mean').flatMap((cell) => cell.replaceAll('`', '').split(', '))
  assert.deepEqual(listed.toSorted(), [...claims, 'profile.<field>'].toSorted())
})

test('the documents that the page names are published as it says', async () => {
  const discovery = await fetch(`${issuer}/.well-known/openid-configuration`)
  const { jwks_uri: keys, issuer: named } = (await discovery.json()) as Record<string, string>
  assert.equal(named, issuer)
  for (const answer of [discovery, await fetch(keys!)]) {
    assert.ok(page.includes(`\`Cache-Control: ${answer.headers.get('cache-control')}\``))
    assert.ok(answer.headers.has('etag'))
  }
  for (const path of [...page.matchAll(/`GET (\/\.well-known\/\S+)`/g)].map(([, path]) => path!))
    assert.equal((await fetch(issuer + path)).status, 200, path)
})

test('the commands of the page print what it shows, and refuse tokens after the end of a session or key', async () => {
  const { accessToken, refreshToken } = await clientOf().signUp(person('grace'))
  const ask = async (token: string) => {
    const { error } = JSON.parse(await server.run(`TOKEN=${token}\n${textOf('What a signature does not show', 'sh')}`))
    return error?.code ?? 'OK'
  }
  assert.equal(await ask(accessToken), 'OK')
  const [, rotation = ''] = page.split('## Rotation\n')
  await server.runPage(`## Rotation\n${rotation}`)
  assert.equal(await ask(accessToken), 'INVALID_USER_TOKEN')
  const refreshed = await clientOf().refreshSession({ refreshToken })
  assert.equal(await ask(refreshed.accessToken), 'OK')
  await clientOf().withSession(refreshed.accessToken).signOut()
  assert.equal(await ask(refreshed.accessToken), 'INVALID_USER_TOKEN')
})
