import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { fullRunsOnly } from '../test/support/runner/sample-size.ts'
import { startTestService, type TestService } from '../test/support/service.ts'
import { type } from './terminal/terminal.testkit.ts'

let service: TestService
let folder: string
before(async () => {
  service = await startTestService()
  folder = await mkdtemp(join(tmpdir(), 'tenantry-cli-'))
  await mkdir(join(folder, 'data'))
  const secrets = JSON.stringify({ masterKeys: 'k:never-to-be-read', adminKey: service.adminKey })
  await writeFile(join(folder, 'data', 'secrets.json'), secrets)
  await writeFile(join(folder, 'admin.key'), `${service.adminKey}\n`)
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

test('finds the admin key beside the database of a server on this machine', async () => {
  const found = await type(['tenant', 'list', '--url', service.baseUrl], { folder })
  assert.equal(found.exitCode, 0, found.errors)
  const named = { DATABASE_URL: `sqlite:${join(folder, 'data', 'other.db')}`, TENANTRY_URL: service.baseUrl }
  assert.equal((await type(['tenant', 'list'], { folder: '/', env: named })).exitCode, 0)
})

test('uses ADMIN_PORT as the default port', async () => {
  const ADMIN_PORT = new URL(service.baseUrl).port
  const found = await type(['tenant', 'list'], { folder, env: { ADMIN_PORT } })
  assert.equal(found.exitCode, 0, found.errors)
  const named = { ADMIN_PORT: '1', TENANTRY_URL: service.baseUrl }
  assert.equal((await type(['tenant', 'list'], { folder, env: named })).exitCode, 0)
})

test('refuses a port that is none, instead of asking another server', async () => {
  for (const env of [{ PORT: 'abc' }, { PORT: '0' }, { PORT: '65536' }, { ADMIN_PORT: '4000x' }]) {
    const { exitCode, errors } = await type(['tenant', 'list'], { folder, env })
    const [[name, value] = []] = Object.entries(env)
    assert.equal(exitCode, 1)
    assert.ok(errors.includes(`${name}: "${value}" is not a port`), errors)
    assert.match(errors, /use a whole number from 1 to 65535, or set --url or TENANTRY_URL\./)
  }
})

test('refuses an empty --url, instead of asking the default server', async () => {
  const { exitCode, errors } = await type(['tenant', 'list', '--url', ''], {
    folder,
    env: { TENANTRY_URL: service.baseUrl },
  })
  assert.equal(exitCode, 1)
  assert.match(errors, /^"" is not an http or https URL\. Set --url or TENANTRY_URL to the server's URL/)
  const unset = { TENANTRY_URL: '', PORT: new URL(service.baseUrl).port }
  assert.equal((await type(['tenant', 'list'], { folder, env: unset })).exitCode, 0)
})

test('refers to ADMIN_PORT if the admin API is not on the given port', async () => {
  await using apart = await startTestService({ separateAdmin: true })
  const { errors } = await type(['tenant', 'list', '--url', apart.baseUrl], { folder })
  assert.match(
    errors,
    /If the server has ADMIN_PORT set, the admin API is on that port\. Use it in --url or TENANTRY_URL\.\n\(NOT_FOUND, 404\)/,
  )
  assert.equal((await type(['tenant', 'list', '--url', apart.adminUrl], { folder })).exitCode, 0)
})

test('explains which key to set if none is found', async () => {
  const { exitCode, errors } = await type(['tenant', 'list', '--url', service.baseUrl], { folder: '/' })
  assert.equal(exitCode, 1)
  assert.match(
    errors,
    /^No admin key found\. Run "tenantry login", or set TENANTRY_OPERATOR_KEY to your key or TENANTRY_ADMIN_KEY/,
  )
})

test('neither reads the stored key in production nor sends it to another machine', async () => {
  const production = { TENANTRY_URL: service.baseUrl, TENANTRY_ENVIRONMENT: 'production' }
  assert.match((await type(['tenant', 'list'], { folder, env: production })).errors, /^No admin key/)
  for (const url of [
    'http://accounts.example.com',
    'http://127.0.0.1.example.com',
    'http://10.0.0.1:4000',
    'http://localhost.example.com',
  ]) {
    assert.match((await type(['tenant', 'list', '--url', url], { folder })).errors, /^No admin key/, url)
  }
})

test('prefers the key from the environment or from a file over the stored one', async () => {
  const wrong = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: 'x'.repeat(40) }
  assert.match((await type(['tenant', 'list'], { folder, env: wrong })).errors, /INVALID_ADMIN_KEY/)
  const inFile = {
    TENANTRY_URL: service.baseUrl,
    TENANTRY_ADMIN_KEY_FILE: 'admin.key',
    TENANTRY_ENVIRONMENT: 'production',
  }
  assert.equal((await type(['tenant', 'list'], { folder, env: inFile })).exitCode, 0)
  const missing = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY_FILE: 'no.key' }
  assert.match(
    (await type(['tenant', 'list'], { folder, env: missing })).errors,
    /^TENANTRY_ADMIN_KEY_FILE: failed to read .*no\.key \(ENOENT\): create it, or correct the path/,
  )
  await writeFile(join(folder, 'empty.key'), '\n')
  const empty = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY_FILE: 'empty.key' }
  const { errors } = await type(['tenant', 'list'], { folder, env: empty })
  assert.match(errors, /^TENANTRY_ADMIN_KEY_FILE: empty\.key is empty/)
})

test('reads variables that a shell took from a file with CRLF line ends', async () => {
  const { id } = await service.admin.createTenant({ name: 'Windows' })
  const env = { TENANTRY_URL: `${service.baseUrl}\r`, TENANTRY_TENANT: `${id}\r` }
  const { exitCode, errors } = await type(['configuration', 'show'], { folder, env })
  assert.deepEqual([exitCode, errors], [0, ''])
})

test('names a damaged secrets file without quoting it', async () => {
  await writeFile(join(folder, 'secrets.json'), '{"adminKey": "half-a-ke')
  const env = { DATABASE_URL: 'sqlite:tenantry.db', TENANTRY_URL: service.baseUrl }
  const { exitCode, errors } = await type(['tenant', 'list'], { folder, env })
  assert.equal(exitCode, 1)
  assert.match(errors, /secrets\.json is damaged; restore it/)
  assert.ok(!errors.includes('half-a-ke'))
})

const command = join(import.meta.dirname, 'tenantry.ts')

test('runs as a process: result on standard output, exit code, password through a pipe', fullRunsOnly, async () => {
  const { tenantId, client } = await service.addTenant()
  const env = { PATH: process.env['PATH'], TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey }
  const words = ['user', 'create', '--tenant', tenantId, '--email', 'ada@example.com', '--password-stdin', '--json']
  const child = spawn(process.execPath, [command, ...words], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  child.stdin.end('correct horse battery\r\n')
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)])
  assert.equal(errors, '')
  assert.equal(JSON.parse(output).email, 'ada@example.com')
  await client.signIn({ method: 'password', email: 'ada@example.com', password: 'correct horse battery' })

  const failing = promisify(execFile)(process.execPath, [command, 'tenant', 'show', 'nope'], { env })
  await assert.rejects(failing, (error: { code: number; stdout: string; stderr: string }) => {
    assert.equal(error.code, 1)
    assert.equal(error.stdout, '')
    assert.match(error.stderr, /^No tenant has the name or id "nope"\. Run "tenantry tenant list"/)
    return true
  })
})
