import assert from 'node:assert/strict'
import { chmod, lstat, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { startTestService, type TestService } from '../test/support/service.ts'
import { storeOperator } from '../test/support/stored-operator.ts'
import { type } from './terminal/terminal.testkit.ts'

let service: TestService
let folder: string
let key: string
before(async () => {
  service = await startTestService()
  key = (await storeOperator(service, { name: 'Kim', scopes: ['tenants:read'] })).key
})
after(async () => {
  await service.close()
  for (const each of folders) await rm(each, { recursive: true })
})
const folders: string[] = []
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-login-'))
  folders.push(folder)
})

const file = () => join(folder, 'tenantry', 'logins.json')
const run = (
  words: readonly string[],
  { input = '', env = {} }: { input?: string; env?: Record<string, string> } = {},
) => type(words, { folder, input, env: { TENANTRY_URL: service.baseUrl, XDG_CONFIG_HOME: folder, ...env } })

/** Runs a command that must succeed. */
async function tenantry(words: readonly string[], given: Parameters<typeof run>[1] = {}): Promise<string> {
  const { exitCode, output, errors } = await run(words, given)
  assert.deepEqual([exitCode, errors], [0, ''])
  return output
}

test('keeps the key for the server, readable by its owner only, and later commands use it', async () => {
  const output = await tenantry(['login'], { input: `${key}\n` })
  assert.match(
    output,
    /^id {7}01\w{24}\nname {5}Kim\nscopes {3}tenants:read\ntenants {2}all\nexpires {2}never\n\nCommands for /,
  )
  assert.ok(!output.includes(key) && output.includes(file()))
  assert.equal((await stat(file())).mode & 0o777, 0o600)
  assert.equal((await stat(join(folder, 'tenantry'))).mode & 0o777, 0o700)
  await tenantry(['tenant', 'list'])
  assert.match(await tenantry(['operator', 'show']), /name {5}Kim/)

  await chmod(file(), 0o644)
  await tenantry(['login'], { input: service.adminKey })
  assert.equal((await stat(file())).mode & 0o777, 0o600)
  assert.match(await tenantry(['operator', 'show']), /name {5}root/)
})

test('sends the key to no other server', async () => {
  await tenantry(['login'], { input: key })
  await using other = await startTestService()
  const { errors } = await run(['tenant', 'list', '--url', other.baseUrl])
  assert.match(errors, /^No admin key found\./)
  await tenantry(['login', '--url', `${other.baseUrl}/`], { input: other.adminKey })
  assert.equal(Object.keys(JSON.parse(await readFile(file(), 'utf8'))).length, 2)
  await tenantry(['tenant', 'list', '--url', other.baseUrl])
  await tenantry(['tenant', 'list'])
})

test('keeps nothing when the server refuses the key, or none is given', async () => {
  for (const [input, said] of [
    ['op_nothing', /refused this key: it is malformed, unknown, expired or revoked\. Nothing was kept\.\n\(INVALID/],
    ['', /^No key was given\. Enter it at the prompt, or pipe it in\./],
    [' \n', /^No key was given/],
    [`${key}\n${key}`, /^The admin key contains spaces, line breaks or non-ASCII characters/],
  ] as const) {
    const { exitCode, output, errors } = await run(['login'], { input })
    assert.deepEqual([exitCode, output], [1, ''])
    assert.match(errors, said)
    assert.ok(!errors.includes(key))
    await assert.rejects(stat(file()), { code: 'ENOENT' })
  }
  assert.match(
    (await type(['login'], { input: key, env: { TENANTRY_URL: service.baseUrl } })).errors,
    /Set HOME or XDG/,
  )
})

test('says where a key cannot be kept', async () => {
  // A file system that answers ENOENT when one creates a folder in it.
  const { exitCode, errors } = await run(['login'], { input: key, env: { XDG_CONFIG_HOME: '/proc/config' } })
  assert.equal(exitCode, 1)
  assert.match(errors, /^Failed to write \/proc\/config\/tenantry\/logins\.json: /)
})

test('works with a key in the environment where the home is not a folder', async () => {
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey, HOME: '/dev/null' }
  assert.equal((await type(['tenant', 'list'], { env })).exitCode, 0)
  assert.match((await type(['logout'], { env })).output, /^No key is kept for http/)
  const { exitCode, errors } = await type(['login'], { input: key, env })
  assert.equal(exitCode, 1)
  assert.match(errors, /^Failed to write \/dev\/null\/\.config\/tenantry\/logins\.json: ENOTDIR/)
})

test('logout deletes the key of this server alone', async () => {
  await using other = await startTestService()
  await tenantry(['login'], { input: key })
  await tenantry(['login', '--url', other.baseUrl], { input: other.adminKey })
  assert.match(await tenantry(['logout']), /^Deleted the key for http/)
  assert.match((await run(['tenant', 'list'])).errors, /^No admin key found/)
  await tenantry(['tenant', 'list', '--url', other.baseUrl])
  assert.match(await tenantry(['logout']), /^No key is kept for http/)
  assert.deepEqual(JSON.parse(await tenantry(['logout', '--url', other.baseUrl, '--json'])), { forgotten: true })
  await assert.rejects(stat(file()), { code: 'ENOENT' })
})

test('keeps the key in the file that a link names, and deletes it there', async () => {
  const linked = join(folder, 'settings.json')
  await mkdir(join(folder, 'tenantry'))
  await symlink(linked, file())
  await tenantry(['login'], { input: key })
  assert.ok((await lstat(file())).isSymbolicLink())
  assert.deepEqual(JSON.parse(await readFile(linked, 'utf8')), { [service.baseUrl]: key })
  assert.equal((await stat(linked)).mode & 0o777, 0o600)
  assert.match(await tenantry(['logout']), /^Deleted the key for http/)
  await assert.rejects(stat(linked), { code: 'ENOENT' })
})

test('prefers TENANTRY_OPERATOR_KEY, then the login, then TENANTRY_ADMIN_KEY, and names what was refused', async () => {
  const wrong = 'wrong-key-of-at-least-32-characters'
  const sourceIn = async (env: Record<string, string>) =>
    /The key came from (.*)\.\n/.exec((await run(['tenant', 'list'], { env })).errors)?.[1]
  const TENANTRY_ADMIN_KEY = wrong
  assert.equal(await sourceIn({ TENANTRY_ADMIN_KEY }), 'TENANTRY_ADMIN_KEY')
  await tenantry(['login'], { input: key })
  assert.equal(await sourceIn({ TENANTRY_ADMIN_KEY }), undefined)
  assert.equal(
    await sourceIn({ TENANTRY_ADMIN_KEY: service.adminKey, TENANTRY_OPERATOR_KEY: wrong }),
    'TENANTRY_OPERATOR_KEY',
  )
  await writeFile(file(), JSON.stringify({ [service.baseUrl]: wrong }))
  assert.equal(await sourceIn({ TENANTRY_ADMIN_KEY: service.adminKey }), `"tenantry login" (${file()})`)
  const { errors } = await run(['login'], { input: key, env: { TENANTRY_OPERATOR_KEY: wrong } })
  assert.match(errors, /^TENANTRY_OPERATOR_KEY is set, and commands use it instead of this login\./)
})

test('names the key when its scope is missing', async () => {
  await tenantry(['login'], { input: key })
  const { errors } = await run(['tenant', 'create', '--name', 'Acme'])
  assert.match(errors, /tenants:write.*\nThe key came from "tenantry login" \(.*\)\.\n\(INSUFFICIENT_SCOPE, 403\)/)
})

test('explains a file of logins that it cannot read, without quoting it', async () => {
  await tenantry(['login'], { input: key })
  for (const content of ['{"http://x": "op_secret', '[]', '{"http://x": 1}', '']) {
    await writeFile(file(), content)
    const { exitCode, errors } = await run(['tenant', 'list'])
    assert.equal(exitCode, 1)
    assert.match(errors, /logins\.json is not a file of logins\. Delete it, then run "tenantry login" again\./)
    assert.ok(!errors.includes('op_secret'))
  }
})
