import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import packageJson from '../package.json' with { type: 'json' }
import { listenOnLoopback } from '../test/support/loopback.ts'
import { startTestService, type TestService } from '../test/support/service.ts'
import { type } from './terminal/terminal.testkit.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

/** Runs a command that must fail with empty standard output; returns the error. */
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

test('explains how to start or address a server that does not respond', async () => {
  const said = await fails(1, ['tenant', 'list', '--url', 'http://127.0.0.1:1'])
  assert.match(
    said,
    /^No response from http:\/\/127\.0\.0\.1:1.*\nStart the server with "npm start", or set its URL with --url or TENANTRY_URL\.\n$/,
  )
})

test('reports a response from something other than Tenantry', async () => {
  const other = createServer((_request, response) => response.end('<h1>Welcome to nginx</h1>'))
  const port = await listenOnLoopback(other)
  const said = await fails(1, ['tenant', 'list', '--url', `http://127.0.0.1:${port}`])
  other.close()
  assert.match(said, /is not a response of Tenantry\. Check --url/)
})

test('names the address that does not exist if the URL has a wrong path', async () => {
  const said = await fails(1, ['tenant', 'list', '--url', `${service.baseUrl}/api`])
  assert.ok(said.startsWith(`${service.baseUrl}/api/admin/tenants does not exist. Check the path of --url\n`), said)
  assert.match(said, /ADMIN_PORT/)
})

test('rejects an invalid URL', async () => {
  for (const url of ['localhost:4000', 'foo', 'ftp://example.com']) {
    assert.match(
      await fails(1, ['tenant', 'list', '--url', url]),
      /is not an http or https URL\. Set --url or TENANTRY_URL/,
    )
  }
})

test('explains a wrong admin key', async () => {
  const said = await fails(1, ['tenant', 'list'], {
    env: { TENANTRY_ADMIN_KEY: 'not-the-key-of-this-server-at-all!!' },
  })
  assert.match(
    said,
    /^The admin key is malformed.*\nThe key came from TENANTRY_ADMIN_KEY\.\n\(INVALID_ADMIN_KEY, 401\)\n$/,
  )
  assert.ok(!said.includes('not-the-key'))
})

test('does not repeat an admin key with a line break in the error', async () => {
  const said = await fails(1, ['tenant', 'list'], {
    env: { TENANTRY_ADMIN_KEY: 'first-half-of-it\nsecond-half-of-it' },
  })
  assert.match(said, /line breaks/)
  assert.doesNotMatch(said, /half/)
})

test('lists the invalid fields with their messages', async () => {
  const tenant = await newTenant()
  const create = ['user', 'create', '--tenant', tenant, '--email', 'ada', '--password-stdin']
  const said = await fails(1, create, { input: 'short\n' })
  assert.equal(
    said,
    'The server rejected the request:\n  email: Invalid email\n  password: String must contain at least 8 character(s)\n(VALIDATION_ERROR, 400)\n',
  )
  assert.ok(!said.includes('short'))
})

test('says what a phone number or an expiry must be', async () => {
  const tenant = await newTenant()
  const { id: user } = await service.admin.createUser({ tenantId: tenant }, { email: 'ada@example.com' })
  for (const [field, words] of [
    ['phone', ['user', 'create', '--phone', '0612345678']],
    ['phone', ['user', 'update', user, '--phone', '+3361234']],
    ['phone', ['user', 'list', '--phone', '0612345678']],
    ['to', ['delivery', 'test', '--sms', '0612345678']],
    ['expiresAt', ['key', 'create', '--expires-at', '2020-01-01']],
  ] as const) {
    const rule =
      field === 'expiresAt'
        ? 'a time in the future'
        : 'a valid number with + and its country code, such as +33612345678'
    assert.equal(
      await fails(1, [...words, '--tenant', tenant]),
      `The server rejected the request:\n  ${field}: Validation rule not met (${rule})\n(VALIDATION_ERROR, 400)\n`,
    )
  }
})

test('rejects a tenant name with control or bidirectional formatting characters', async () => {
  const before = await service.admin.listTenants()
  for (const name of ['Acme\u001b[2J', 'Acme\u202egro']) {
    assert.equal(
      await fails(1, ['tenant', 'create', '--name', name]),
      'The server rejected the request:\n  name: Control and bidirectional formatting characters are not allowed; remove them\n(VALIDATION_ERROR, 400)\n',
    )
  }
  assert.deepEqual(await service.admin.listTenants(), before)
})

test('tells where to find the right id', async () => {
  const tenant = await newTenant()
  const unknown = '01M7YRQNCSESKNDNW73532ZP9R'
  assert.match(await fails(1, ['tenant', 'show', unknown]), /"tenantry tenant list" to see/)
  assert.match(await fails(1, ['user', 'show', unknown, '--tenant', tenant]), /"tenantry user list" to see/)
  assert.match(await fails(1, ['key', 'revoke', unknown, '--tenant', tenant]), /"tenantry key list" to see/)
  const { id: user } = await service.admin.createUser({ tenantId: tenant }, { email: 'ada@example.com' })
  assert.match(
    await fails(1, ['user', 'end-sessions', user, unknown, '--tenant', tenant]),
    /user sessions <user>" to see/,
  )
  assert.match(await fails(1, ['schema', 'show', 'v9', '--tenant', tenant]), /has not published/)
  assert.match(await fails(1, ['tenant', 'show', '../x']), /^No tenant has the name or id "\.\.\/x"/)
  assert.match(await fails(1, ['tenant', 'show', '']), /^The tenant is empty\. Specify its name or id\.\n$/)
})

test('reports a file that is missing, not JSON, or not an object', async () => {
  const tenant = await newTenant()
  const patch = (file: string, input = '') => fails(1, ['configuration', 'patch', file, '--tenant', tenant], { input })
  assert.equal(await patch('/nowhere/at-all.json'), 'File /nowhere/at-all.json not found.\n')
  assert.equal(await patch('/tmp'), 'Failed to read /tmp: it is a folder\n')
  assert.match(await patch(''), /^The name of the file is empty\. Specify a file, or - for standard input\.$/m)
  assert.equal(await fails(1, ['user', 'import', '/tmp', '--tenant', tenant]), 'Failed to read /tmp: it is a folder\n')
  assert.match(await patch('-', '{"a": 1,}'), /^Standard input is not valid JSON/)
  for (const input of ['[]', '"x"', 'null', '1']) assert.match(await patch('-', input), /must contain a JSON object/)
})

test('reads a file with a byte order mark, and refuses one in UTF-16', async (t) => {
  const tenant = await newTenant()
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-files-'))
  t.after(() => rm(folder, { recursive: true }))
  const world = { folder, env: { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey } }
  const schema = '\uFEFF{"components": [{"name": "a", "type": "text"}]}\r\n'
  await writeFile(join(folder, 'schema.json'), schema)
  await writeFile(join(folder, 'patch.json'), '\uFEFF{"otp": {"length": 7}}\r\n')
  await writeFile(join(folder, 'utf16.json'), Buffer.from('\uFEFF{}', 'utf16le'))
  for (const [words, input] of [
    [['schema', 'publish', 'schema.json'], ''],
    [['schema', 'check', '-'], schema],
    [['configuration', 'patch', 'patch.json'], ''],
  ] as const) {
    const { exitCode, errors } = await type([...words, '--tenant', tenant], { ...world, input })
    assert.deepEqual([exitCode, errors], [0, ''])
  }
  for (const words of [
    ['schema', 'check'],
    ['configuration', 'patch'],
  ]) {
    const { exitCode, errors } = await type([...words, 'utf16.json', '--tenant', tenant], world)
    assert.deepEqual(
      [exitCode, errors],
      [1, 'utf16.json is not UTF-8 text. Save it as UTF-8; the > of Windows PowerShell writes UTF-16.\n'],
    )
  }
})

test('requires exactly one line for a password', async () => {
  const create = ['user', 'create', '--tenant', await newTenant(), '--email', 'ada@example.com', '--password-stdin']
  assert.match(await fails(1, create, { input: '\n' }), /Standard input has no password/)
  assert.match(await fails(1, create, { input: 'correct horse\nbattery staple\n' }), /several lines/)
})

test('has no option for a password, and requires --yes to delete', async () => {
  const tenant = await newTenant()
  const { id: user } = await service.admin.createUser({ tenantId: tenant }, { email: 'ada@example.com' })
  const create = ['user', 'create', '--tenant', tenant, '--email', 'b@example.com', '--password', 'correct horse']
  assert.match(await fails(2, create), /unknown option '--password'/)
  assert.match(
    await fails(1, ['tenant', 'delete', tenant]),
    /^This permanently deletes tenant .* Add --yes to confirm\./,
  )
  assert.match(await fails(1, ['user', 'delete', user, '--tenant', tenant]), /Add --yes to confirm\./)
  await service.admin.getUser({ tenantId: tenant, userId: user })
})

test('exits with 2 on invalid usage and refers to the help', async () => {
  const tenant = await newTenant()
  for (const words of [
    [],
    ['tenat', 'list'],
    // An alias of `key` that looks like the master keys would be dangerous.
    ['keys', 'rotate'],
    ['user', 'update', 'x', '--tenant', tenant],
    ['user', 'list'],
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
    ['user', 'restrict', 'x', '--none', '--tenant', tenant, '--until', '2027-01-31'],
    ['user', 'end-sessions', '--tenant', tenant],
    ['configuration', 'set', '--tenant', tenant],
  ]) {
    assert.match(await fails(2, words), /--help|Usage:/, words.join(' '))
  }
  assert.deepEqual((await service.admin.listTenantKeys({ tenantId: tenant })).items, [])
})

test('exits with 0 on --help', async () => {
  for (const words of [['--help'], ['help'], ['help', 'tenant'], ['key', 'create', '--help']]) {
    const { exitCode, output, errors } = await type(words, {})
    assert.equal(exitCode, 0, words.join(' '))
    assert.match(output, /^Usage: tenantry/)
    assert.equal(errors, '')
  }
})

test('prints the version', async () => {
  assert.deepEqual(await type(['--version'], {}), { exitCode: 0, output: `${packageJson.version}\n`, errors: '' })
})
