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
import { startServer } from '../../test/support/faults/server-process.ts'
import { freePort } from '../../test/support/free-port.ts'
import { fullRunsOnly } from '../../test/support/runner/sample-size.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { until } from '../../test/support/until.ts'
import { type } from '../terminal/terminal.testkit.ts'

let service: TestService
let folder: string
before(async () => {
  service = await startTestService()
  folder = await mkdtemp(join(tmpdir(), 'tenantry-inbox-'))
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

const env = () => ({ TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey })

test('shows messages with code and text, of all tenants or of one', async () => {
  assert.equal((await type(['inbox'], { env: env() })).output, 'The inbox has no messages.\n')
  const tenant = await service.addTenant({ methods: ['otp'] })
  const { id } = await tenant.client.issueOtp({ scope: 'otp_signin', email: 'ada@example.com' })
  const code = await service.codeOf(id)
  const { output } = await type(['inbox'], { env: env() })
  assert.match(output, new RegExp(`^2026-01-15T\\S+  email  ada@example\\.com  otp_signin  ${code}\n    \\S`))
  const [message] = JSON.parse((await type(['inbox', '--json', '--tenant', tenant.tenantId], { env: env() })).output)
  assert.deepEqual([message.code, message.recipient], [code, 'ada@example.com'])
  const other = (await service.addTenant()).tenantId
  const filtered = { ...env(), TENANTRY_TENANT: other }
  assert.equal((await type(['inbox'], { env: filtered })).output, 'The inbox has no messages.\n')
  assert.equal((await type(['inbox'], { env: { ...env(), TENANTRY_TENANT: '' } })).output, output)
  assert.equal((await type(['inbox', '--to', 'eve@example.com'], { env: env() })).exitCode, 0)
})

test('follows new messages until Ctrl-C', async (t) => {
  const tenant = await service.addTenant({ methods: ['otp'] })
  const control = new AbortController()
  t.after(() => control.abort())
  const printed: string[] = []
  const words = ['inbox', '--follow', '--json', '--tenant', tenant.tenantId]
  const send = async (email: string) => {
    const { id } = await tenant.client.issueOtp({ scope: 'otp_signin', email })
    await service.codeOf(id)
  }
  // A message that was sent before the command read the inbox is not a new one.
  await send('before@example.com')
  const following = type(words, { env: env(), interrupted: control.signal, onOutput: (text) => printed.push(text) })
  let sent = 0
  await until(async () => {
    await send(`${++sent}@example.com`)
    return printed.length > 0
  })
  await send('last@example.com')
  await until(() => printed.some((line) => line.includes('last@example.com')))
  control.abort()
  const { exitCode, output, errors } = await following
  assert.deepEqual([exitCode, errors], [0, ''])
  const recipients = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).recipient)
  const all = [...Array.from({ length: sent }, (_, index) => `${index + 1}@example.com`), 'last@example.com']
  assert.deepEqual(recipients, all.slice(-recipients.length))
})

test('explains that production has no inbox', async () => {
  await using apart = await startTestService({ separateAdmin: true })
  const elsewhere = { TENANTRY_URL: apart.baseUrl, TENANTRY_ADMIN_KEY: apart.adminKey }
  const { exitCode, errors } = await type(['inbox', '--follow'], { env: elsewhere })
  assert.equal(exitCode, 1)
  assert.match(errors, /^The server has no local development inbox at this URL\. In production messages are sent/)
})

/** The text that a process has printed so far. */
function collect(child: ChildProcess): { readonly output: () => string; readonly errors: () => string } {
  const texts = { output: '', errors: '' }
  child.stdout?.on('data', (data) => (texts.output += data))
  child.stderr?.on('data', (data) => (texts.errors += data))
  return { output: () => texts.output, errors: () => texts.errors }
}

test(
  'survives a restart of the server without losing a message, and Ctrl-C ends the process with 0',
  fullRunsOnly,
  async (t) => {
    const secrets = { adminKey: 'inbox-test-admin-key-of-32-characters', masterKeys: generateMasterKeys(0) }
    const port = await freePort()
    const start = () => startServer(folder, secrets, { PORT: String(port) })
    let server = await start()
    t.after(() => server.process.kill('SIGKILL'))
    const admin = createTenantryAdmin({ baseUrl: server.baseUrl, adminKey: secrets.adminKey })
    const { id: tenantId } = await admin.createTenant({ name: 'Inbox' })
    await admin.updateConfiguration({ tenantId }, { auth: { methods: ['otp'] } })
    const { key: tenantKey } = await admin.createTenantKey({ tenantId }, {})
    const app = createTenantryClient({ baseUrl: server.baseUrl, tenantKey })
    const send = (email: string) => app.issueOtp({ scope: 'otp_signin', email })
    const child = spawn(process.execPath, [join(import.meta.dirname, '../tenantry.ts'), 'inbox', '--follow'], {
      env: { PATH: process.env['PATH'], TENANTRY_URL: server.baseUrl, TENANTRY_ADMIN_KEY: secrets.adminKey },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    t.after(() => child.kill('SIGKILL'))
    const { output, errors } = collect(child)
    let sent = 0
    await until(async () => {
      await send(`${++sent}@example.com`)
      return output().includes('@example.com')
    })
    await server.end('SIGKILL')
    await until(() => errors() === 'The connection ended; waiting for the server.\n')
    server = await start()
    await send('second@example.com')
    await until(() => output().includes('second@example.com'))
    assert.match(errors(), /\nConnected again\.\n$/)
    const exited = once(child, 'exit')
    child.kill('SIGINT')
    assert.deepEqual(await exited, [0, null])
    assert.equal(await server.end('SIGTERM'), 0)
  },
)
