import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { type SealedSecrets, senderSecretContext } from '../../server/delivery/sender-secrets.ts'
import { createKeyring } from '../../server/secrets/keyring.ts'
import { keepSecrets, readKeptSecrets } from '../../server/settings/kept-secrets.ts'
import { dumpFile } from '../../server/storage/sqlite/open-storage.testkit.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { keyOf } from '../../test/support/master-key.ts'
import { addPerson, type Person } from '../../test/support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../../test/support/service.ts'
import { type } from '../terminal/terminal.testkit.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-keys-'))
})
after(() => rm(folder, { recursive: true }))

const k1 = keyOf('k1', 1)
const k2 = keyOf('k2', 2)

const pathOf = (name: string): string => join(folder, name, 'data', 'tenantry.db')

/** A server on the database of this name with these master keys; it uses the machine's clock, like the command. */
async function serve(name: string, masterKeys: string): Promise<TestService> {
  const storage = await openSqliteStorage({ path: pathOf(name) })
  return startTestService({ storage, masterKeys, start: Date.now() })
}

const rotate = (name: string, masterKeys: string, ...words: string[]) =>
  type(['master-key', 'rotate', ...words], {
    env: { DATABASE_URL: `sqlite:${pathOf(name)}`, TENANTRY_MASTER_KEYS: masterKeys },
    folder,
  })

const smtp = (name: string) => ({
  ...{ type: 'smtp', name, host: `${name}.example.com`, port: 587 },
  ...{ user: 'me', password: `password of ${name}` },
})
const delivery = { email: [smtp('main'), smtp('spare')] }

/** Sends a code and returns it. */
async function sendCode(service: TestService, person: Person): Promise<{ id: string; code: string }> {
  const { id } = await person.issue('reset_password')
  return { id, code: await service.codeOf(id) }
}

const clientOf = (service: TestService, { key }: TestTenant) =>
  createTenantryClient({ baseUrl: service.baseUrl, tenantKey: key })

const verify = (service: TestService, tenant: TestTenant, otp: { id: string; code: string }) =>
  clientOf(service, tenant).verifyOtp({ ...otp, scope: 'reset_password' })

/** The credentials of a tenant's senders, decrypted with these keys. */
function secretsOf(name: string, tenantId: string, masterKeys: string): string[] {
  const [row] = dumpFile(pathOf(name))['tenants'] ?? []
  const sealed: SealedSecrets = JSON.parse(String(row?.['modules'])).$senderSecrets
  const keyring = createKeyring(masterKeys)
  return Object.entries(sealed).map(([place, text]) => keyring.open(text, senderSecretContext(tenantId, place)))
}

test('replaces a key step by step while servers keep running', async () => {
  const name = 'steps'
  const first = await serve(name, k1)
  const tenant = await first.addTenant({ configuration: { delivery, otp: { resendIntervalSeconds: 0 } } })
  const person = await addPerson(first, tenant)
  const { accessToken, refreshToken } = await person.signIn()
  const stayed = await person.signIn()
  const otps = await Promise.all([1, 2, 3, 4].map(() => sendCode(first, person)))

  // No server has k2 yet, so nothing may be encrypted with it.
  const before = dumpFile(pathOf(name))
  const tooEarly = await rotate(name, `${k2},${k1}`)
  assert.equal(tooEarly.exitCode, 1)
  assert.match(
    tooEarly.output,
    /^Encrypted with k1: 1 signing keys, 4 codes, 4 testing channel messages, 2 sender secrets\.\n$/,
  )
  assert.match(tooEarly.errors, /^Servers without k2 cannot decrypt.*with --restarted\.\n$/)
  assert.deepEqual(dumpFile(pathOf(name)), before)
  await verify(first, tenant, otps[0]!)
  await first.close()

  // One server has it, the other starts to encrypt with it.
  const second = await serve(name, `${k1},${k2}`)
  const third = await serve(name, `${k2},${k1}`)
  let isOn = true
  const serving = (async () => {
    for (let round = 0; isOn; round++) {
      const service = round % 2 === 0 ? second : third
      const client = clientOf(service, tenant)
      await client.withSession(accessToken).getAccount()
      await service.admin.listTestingChannelMessages({ tenantId: tenant.tenantId })
      const { accessToken: fresh } = await client.signIn({
        method: 'password',
        email: person.email,
        password: person.password,
      })
      await clientOf(round % 2 === 0 ? third : second, tenant)
        .withSession(fresh)
        .getAccount()
    }
  })()
  const during = await rotate(name, `${k2},${k1}`, '--restarted')
  isOn = false
  await serving
  assert.equal(during.exitCode, 0, during.errors)
  assert.match(
    during.output,
    /^Re-encrypted with k2: 1 signing keys, 1 checkpoint keys, 3 codes, 4 testing channel messages, 2 sender secrets\.\nEncrypted with k2: .*\nk1 encrypts no data\. Unless it is a new key that is not yet first, it can be removed\. Removed earlier than 30 days after the restart, /,
  )
  await verify(second, tenant, otps[1]!)
  await verify(third, tenant, otps[2]!)

  // A server whose first key is k1 encrypts with it again; the command reports it and is run again.
  await sendCode(second, {
    ...person,
    issue: () => clientOf(second, tenant).resetPassword({ step: 'challenge', email: person.email }),
  })
  const reported = await rotate(name, `${k2},${k1}`)
  assert.equal(reported.exitCode, 1)
  assert.match(reported.output, /Encrypted with k1: 1 codes, 1 testing channel messages\./)
  await second.close()
  const again = JSON.parse((await rotate(name, `${k2},${k1}`, '--restarted', '--json')).output)
  assert.deepEqual(
    [again.resealed, Object.keys(again.left.open)],
    [{ codes: 1, 'testing channel messages': 1 }, ['k2']],
  )

  const { refreshToken: renewed } = await clientOf(third, tenant).refreshSession({ refreshToken })
  await third.close()
  const last = await serve(name, k2)
  await verify(last, tenant, otps[3]!)
  await clientOf(last, tenant).withSession(accessToken).getAccount()
  await clientOf(last, tenant).refreshSession({ refreshToken: renewed })
  assert.deepEqual(secretsOf(name, tenant.tenantId, k2), ['password of main', 'password of spare'])
  // A session that was not refreshed with the new key works without the old one too.
  await clientOf(last, tenant).refreshSession(stayed)
  await last.close()
})

test('rotates generated keys: generate, restart, re-encrypt, forget', async () => {
  const name = 'kept'
  const file = join(folder, name, 'data', 'secrets.json')
  const words = (...said: string[]) => type(['master-key', ...said], { folder: join(folder, name), env: {} })
  const kept = () => String(readKeptSecrets(file).masterKeys)
  keepSecrets(file, { masterKeys: k1, adminKey: 'stays as it is' })
  const first = await serve(name, k1)
  const tenant = await first.addTenant()
  const person = await addPerson(first, tenant)
  const otps = [await sendCode(first, person), await sendCode(first, person)]

  const made = await words('rotate')
  assert.equal(made.exitCode, 0, made.errors)
  assert.match(
    made.output,
    /^Generated the master key k\d{8}-\w{8} as the first key in .*secrets\.json\. It does not encrypt any data yet\.\nRestart every server/,
  )
  assert.match(kept(), new RegExp(`^k\\d{8}-\\w{8}:[^,]{44},${k1}$`))
  assert.equal(readKeptSecrets(file).adminKey, 'stays as it is')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.ok(!`${made.output}${made.errors}`.includes(kept().slice(20, 50)))

  const [text, before] = [kept(), dumpFile(pathOf(name))]
  assert.equal((await words('rotate')).exitCode, 1)
  assert.deepEqual([kept(), dumpFile(pathOf(name))], [text, before])
  await verify(first, tenant, otps[0]!)
  await first.close()

  const second = await serve(name, kept())
  assert.match((await words('forget', 'k1')).errors, /^Data is still encrypted with k1\./)
  const done = await words('rotate', '--restarted')
  assert.equal(done.exitCode, 0, done.errors)
  assert.match(done.output, /k1 encrypts no data\. .*it can be removed\./)
  await verify(second, tenant, otps[1]!)
  assert.equal((await words('rotate')).exitCode, 0, 'repeated')
  assert.equal(kept(), text, 'no further key while there are two')

  assert.match((await words('forget', text.split(':')[0]!)).errors, /is the current key and cannot be removed/)
  assert.match((await words('forget', 'k9')).errors, /has no key k9; its keys: k\d{8}-\w{8}, k1\.\n$/)
  assert.match((await words('forget', 'k1')).output, /^Removed k1 from .*\. Restart every server\.\n$/)
  assert.equal(kept(), text.split(',')[0])
  assert.match((await words('rotate', '--restarted')).output, /^Re-encrypted with k\d{8}-\w{8}: nothing\.\n/)
  assert.equal(kept(), text.split(',')[0], 'no new key after a restart with the only one')
  assert.match((await words('rotate')).output, /^Generated the master key k\d{8}-\w{8} /)
  await second.close()
})

test('does not forget a key while data is encrypted with a different key of that name', async () => {
  const name = 'otherwise'
  const file = join(folder, name, 'data', 'secrets.json')
  const masterKeys = `${k2},${keyOf('k1', 3)}`
  keepSecrets(file, { masterKeys })
  const service = await serve(name, k1)
  await sendCode(service, await addPerson(service, await service.addTenant()))
  await service.close()
  const { errors } = await type(['master-key', 'forget', 'k1'], { folder: join(folder, name), env: {} })
  assert.match(errors, /^Data is still encrypted with k1\./)
  assert.equal(readKeptSecrets(file).masterKeys, masterKeys)
})

test('never reports a key as removable if data is encrypted with a different key of that name', async () => {
  const name = 'steps'
  const before = dumpFile(pathOf(name))
  const wrong = await rotate(name, `${k1},${keyOf('k2', 3)}`, '--restarted')
  assert.equal(wrong.exitCode, 1)
  assert.match(wrong.output, /Encrypted with k2, not decryptable with the configured keys: 1 signing keys/)
  assert.doesNotMatch(wrong.output, /can be removed/)
  assert.match(wrong.errors, /^Data was altered, or encrypted with a different key named k2\. Keep the key\.\n$/)
  const missing = await rotate(name, k1, '--restarted')
  assert.equal(missing.exitCode, 1)
  assert.match(
    missing.output,
    /^Re-encrypted with k1: nothing\.\nEncrypted with k2, not decryptable with the configured keys: /,
  )
  assert.match(missing.errors, /^Data is encrypted with k2, which is not configured\. Add this key .*\n$/)
  const first = await rotate(name, keyOf('k2', 3), '--restarted')
  assert.equal(first.exitCode, 1)
  assert.match(first.errors, /^Data was altered, or encrypted with a different key named k2\. Keep the key\.\n$/)
  assert.deepEqual(dumpFile(pathOf(name)), before)
})

test('explains mistakes', async () => {
  const path = pathOf('steps')
  const say = async (env: Record<string, string>) => (await type(['master-key', 'rotate'], { env, folder })).errors
  assert.match(
    await say({ DATABASE_URL: 'sqlite:none.db', TENANTRY_MASTER_KEYS: k1 }),
    /^Database .*none\.db not found\./,
  )
  assert.match(await say({ DATABASE_URL: `sqlite:${path}` }), /^No master keys found\. Set TENANTRY_MASTER_KEYS/)
  assert.match(
    await say({ DATABASE_URL: `sqlite:${path}`, TENANTRY_MASTER_KEYS: 'k1' }),
    /^TENANTRY_MASTER_KEYS: entry 1 has no colon/,
  )
  const forget = await type(['master-key', 'forget', 'k1'], {
    env: { DATABASE_URL: `sqlite:${path}`, TENANTRY_MASTER_KEYS: k1 },
  })
  assert.match(forget.errors, /Remove k1 from TENANTRY_MASTER_KEYS and restart the servers\.\n$/)
  const unread = { DATABASE_URL: `sqlite:${pathOf('kept')}`, TENANTRY_MASTER_KEYS_FILE: join(folder, 'none') }
  assert.match(await say(unread), /^TENANTRY_MASTER_KEYS_FILE: failed to read .*none \(ENOENT\): create it/)
  const production = { DATABASE_URL: `sqlite:${pathOf('kept')}`, TENANTRY_ENVIRONMENT: 'production' }
  assert.match(await say(production), /^No master keys/)
})
