import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, test } from 'node:test'
import { startTestService, type TestService } from '../test/support/service.ts'
import { type } from './terminal.testkit.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

/** Types a command that has to fail with nothing on standard output; answers with what it says. */
async function fails(exitCode: 1 | 2, words: readonly string[], { env = {}, input = '' } = {}): Promise<string> {
  const world = { env: { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey, ...env }, input }
  const result = await type(words, world)
  assert.equal(result.exitCode, exitCode, result.errors)
  assert.equal(result.output, '')
  assert.ok(!result.errors.includes(service.adminKey))
  assert.doesNotMatch(result.errors, /\n\s+at |node:|undefined/)
  return result.errors
}

const newTenant = async () => (await service.admin.createTenant({ name: 'Test' })).id

test('the server is not running', async () => {
  const said = await fails(1, ['tenant', 'list', '--url', 'http://127.0.0.1:1'])
  assert.match(
    said,
    /^No answer from http:\/\/127\.0\.0\.1:1.*\nStart the server with "npm start", or say where it is with --url or TENANTRY_URL\.\n$/,
  )
})

test('something else answers there', async () => {
  const other = createServer((_request, response) => response.end('<h1>Welcome to nginx</h1>'))
  await new Promise<void>((listening) => other.listen(0, '127.0.0.1', listening))
  const { port } = other.address() as { port: number }
  const said = await fails(1, ['tenant', 'list', '--url', `http://127.0.0.1:${port}`])
  other.close()
  assert.match(said, /is not an answer of Tenantry: check --url/)
})

test('the address is none', async () => {
  for (const url of ['localhost:4000', 'foo', 'ftp://example.com']) {
    assert.match(await fails(1, ['tenant', 'list', '--url', url]), /is no address of a server: give one such as http:/)
  }
})

test('the key is another server’s', async () => {
  const said = await fails(1, ['tenant', 'list'], {
    env: { TENANTRY_ADMIN_KEY: 'not-the-key-of-this-server-at-all!!' },
  })
  assert.match(said, /\nSet TENANTRY_ADMIN_KEY to the key the server was started with.*\n\(INVALID_ADMIN_KEY, 401\)\n$/)
  assert.ok(!said.includes('not-the-key'))
})

test('the key was pasted with a line break: it is not repeated in the error', async () => {
  const said = await fails(1, ['tenant', 'list'], {
    env: { TENANTRY_ADMIN_KEY: 'first-half-of-it\nsecond-half-of-it' },
  })
  assert.match(said, /line breaks/)
  assert.doesNotMatch(said, /half/)
})

test('a field is wrong: each is named with what is wrong', async () => {
  const tenant = await newTenant()
  const create = ['user', 'create', '--tenant', tenant, '--email', 'ada', '--password-stdin']
  const said = await fails(1, create, { input: 'short\n' })
  assert.equal(
    said,
    'The server refused what was sent:\n  email: Invalid email\n  password: String must contain at least 8 character(s)\n(VALIDATION_ERROR, 400)\n',
  )
  assert.ok(!said.includes('short'))
})

test('a tenant name with control or bidirectional formatting characters is refused', async () => {
  const before = await service.admin.listTenants()
  for (const name of ['Acme\u001b[2J', 'Acme\u202egro']) {
    assert.equal(
      await fails(1, ['tenant', 'create', '--name', name]),
      'The server refused what was sent:\n  name: Control and bidirectional formatting characters are not allowed; remove them\n(VALIDATION_ERROR, 400)\n',
    )
  }
  assert.deepEqual(await service.admin.listTenants(), before)
})

test('an id is unknown: where to find the right one', async () => {
  const tenant = await newTenant()
  const nobody = '01M7YRQNCSESKNDNW73532ZP9R'
  assert.match(await fails(1, ['tenant', 'show', nobody]), /"tenantry tenant list" shows/)
  assert.match(await fails(1, ['user', 'show', nobody, '--tenant', tenant]), /"tenantry user list" shows/)
  assert.match(await fails(1, ['key', 'revoke', nobody, '--tenant', tenant]), /"tenantry key list" shows/)
  const { id: user } = await service.admin.createUser({ tenantId: tenant }, { email: 'ada@example.com' })
  assert.match(
    await fails(1, ['user', 'end-sessions', user, nobody, '--tenant', tenant]),
    /user sessions <user>" shows/,
  )
  assert.match(await fails(1, ['schema', 'show', 'v9', '--tenant', tenant]), /has not published/)
  assert.match(await fails(1, ['tenant', 'show', '../x']), /TENANT_NOT_FOUND/)
  assert.match(await fails(1, ['tenant', 'show', '']), /must be an id/)
})

test('the file is missing, no JSON, or no object', async () => {
  const tenant = await newTenant()
  const patch = (file: string, input = '') => fails(1, ['configuration', 'patch', file, '--tenant', tenant], { input })
  assert.equal(await patch('/nowhere/at-all.json'), 'There is no file /nowhere/at-all.json.\n')
  assert.match(await patch('/tmp'), /^\/tmp cannot be read/)
  assert.match(await patch('-', '{"a": 1,}'), /^Standard input is not JSON/)
  for (const input of ['[]', '"x"', 'null', '1']) assert.match(await patch('-', input), /must hold a JSON object/)
})

test('no password came, or several lines', async () => {
  const create = ['user', 'create', '--tenant', await newTenant(), '--email', 'ada@example.com', '--password-stdin']
  assert.match(await fails(1, create, { input: '\n' }), /No password came/)
  assert.match(await fails(1, create, { input: 'correct horse\nbattery staple\n' }), /several lines/)
})

test('a password as an argument is no option, and deletes need --yes', async () => {
  const tenant = await newTenant()
  const { id: user } = await service.admin.createUser({ tenantId: tenant }, { email: 'ada@example.com' })
  const create = ['user', 'create', '--tenant', tenant, '--email', 'b@example.com', '--password', 'correct horse']
  assert.match(await fails(2, create), /unknown option '--password'/)
  assert.match(await fails(1, ['tenant', 'delete', tenant]), /for good\. Run it again with --yes\./)
  assert.match(await fails(1, ['user', 'delete', user, '--tenant', tenant]), /Run it again with --yes\./)
  await service.admin.getUser({ tenantId: tenant, userId: user })
})

test('usage errors are exit code 2 and point to the help', async () => {
  const tenant = await newTenant()
  for (const words of [
    [],
    ['tenat', 'list'],
    ['tenant'],
    ['tenant', 'create'],
    ['tenant', 'show'],
    ['tenant', 'show', tenant, 'more'],
    ['tenant', 'list', '--jsn'],
    ['tenant', 'restrict', tenant],
    ['tenant', 'restrict', tenant, 'sign_in', '--none'],
    ['tenant', 'restrict', tenant, 'everything'],
    ['key', 'create'],
    ['key', 'create', '--tenant', tenant, '--kind', 'public'],
    ['key', 'create', '--tenant', tenant, '--expires-at', 'tomorrow'],
    ['key', 'rotate', 'x', '--tenant', tenant, '--overlap-seconds', '1d'],
    ['user', 'create', '--tenant', tenant],
    ['user', 'create', '--tenant', tenant, '--phone', '+33612345678', '--email-verified'],
    ['user', 'create', '--tenant', tenant, '--email', 'ada@example.com', '--phone-verified'],
    ['user', 'suspend', 'x', '--tenant', tenant, '--until', '2027-02-30'],
    ['user', 'restrict', 'x', 'upload', '--tenant', tenant, '--until', '2027-01-31T18:00'],
    ['user', 'end-sessions', '--tenant', tenant],
    ['configuration', 'set', '--tenant', tenant],
  ]) {
    assert.match(await fails(2, words), /--help|Usage:/, words.join(' '))
  }
  assert.deepEqual((await service.admin.listTenantKeys({ tenantId: tenant })).items, [])
})

test('asking for help is no mistake', async () => {
  for (const words of [['--help'], ['help'], ['help', 'tenant'], ['key', 'create', '--help']]) {
    const { exitCode, output, errors } = await type(words, {})
    assert.equal(exitCode, 0, words.join(' '))
    assert.match(output, /^Usage: tenantry/)
    assert.equal(errors, '')
  }
})

test('a check that finds a break fails only when asked to', async () => {
  const tenant = await newTenant()
  await service.admin.publishProfileSchema({ tenantId: tenant }, { components: [{ name: 'a', type: 'text' }] })
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey }
  const check = ['schema', 'check', '-', '--tenant', tenant]
  const input = '{"components": []}'
  assert.equal((await type(check, { env, input })).exitCode, 0)
  const result = await type([...check, '--exit-code'], { env, input })
  assert.equal(result.exitCode, 1)
  assert.match(result.output, /removed/)
})
