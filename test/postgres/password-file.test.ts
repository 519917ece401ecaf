import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type } from '../../cli/terminal/terminal.testkit.ts'
import { readConfig } from '../../server/settings/read-config.ts'
import { openDatabase } from '../../server/startup/open-database.ts'
import { createNode, type PostgresNode } from '../support/databases/standby.ts'
import { assertRefusal } from '../support/http/envelope.ts'
import { send } from '../support/http/wire.ts'
import { runProgram } from '../support/local-server.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let node: PostgresNode
let folder: string
let file: string
let env: Record<string, string>
let service: TestService
let tenant: TestTenant

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-password-'))
  file = join(folder, 'password')
  node = await createNode()
  await node.start()
  await node.ask("CREATE ROLE tenantry LOGIN CREATEROLE PASSWORD 'first secret '")
  await node.ask('CREATE DATABASE tenantry OWNER tenantry')
  await writeFile(file, 'first secret \n')
  const url = `postgres://tenantry@127.0.0.1:${node.port}/tenantry`
  env = { DATABASE_URL: url, TENANTRY_DATABASE_PASSWORD_FILE: file }
  service = await startTestService({ storage: await openDatabase(readConfig(env).database) })
  tenant = await service.addTenant()
})
after(async () => {
  await service?.close()
  await node.remove()
  await rm(folder, { recursive: true })
})

const ask = () => send(service.baseUrl, { path: '/tenant-configuration', headers: [['x-tenant-key', tenant.key]] })
const isAnswered = async () => assert.equal((await ask()).status, 200)
const changePassword = (to: string) => node.ask(`ALTER ROLE tenantry PASSWORD '${to}'`)
const cutConnections = () =>
  node.ask("SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'tenantry'")

/** Asserts that the next request gets no connection, and that the log gives the reason without a password. */
async function isRefused(why: RegExp): Promise<void> {
  service.log.length = 0
  assertRefusal(await ask(), 'SERVICE_UNAVAILABLE')
  assert.match(service.log.join(), why)
  assert.doesNotMatch(service.log.join(), /(?:first|second|third) secret/)
}

test('uses a changed password file for new connections, without a restart', async () => {
  await isAnswered()
  await changePassword('second secret')
  await isAnswered()
  await cutConnections()
  await isRefused(/password authentication failed/)
  await writeFile(file, 'second secret')
  await isAnswered()
})

test('without the file new connections fail with an error that names the setting; open ones keep working', async () => {
  await isAnswered()
  await rm(file)
  await isAnswered()
  await cutConnections()
  await isRefused(/TENANTRY_DATABASE_PASSWORD_FILE: \S+ cannot be read \(ENOENT\)/)
  await writeFile(file, '\n')
  await isRefused(/TENANTRY_DATABASE_PASSWORD_FILE: \S+ is empty/)
  await changePassword('third secret')
  await writeFile(file, 'third secret\r\n')
  await isAnswered()
})

test('CLI commands read the password file, except for a URL given as an option', async () => {
  const migrate = (...words: string[]) => type(['migrate', ...words], { env })
  assert.match((await migrate()).output, /up to date/)
  const typed = await migrate('--database', env['DATABASE_URL']!.replace('tenantry@', 'tenantry:wrong@'))
  assert.match(typed.errors, /password authentication failed/)
  const copied = await type(['copy', '--to', `sqlite:${join(folder, 'copy.db')}`], { env })
  assert.match(copied.output, /Copied; source and target are identical/)
  const rotated = await type(['master-key', 'rotate'], { env: { ...env, TENANTRY_MASTER_KEYS: service.masterKeys } })
  assert.equal(rotated.errors, '')
})

test('commands on the database read PGPASSWORD in .env, as the server does', async () => {
  await changePassword('fourth secret')
  await writeFile(join(folder, '.env'), `DATABASE_URL=${env['DATABASE_URL']}\nPGPASSWORD=fourth secret\n`)
  const program = runProgram('cli/tenantry.ts', ['migrate'], folder, {})
  assert.equal(await program.ended, 0, program.output())
})
