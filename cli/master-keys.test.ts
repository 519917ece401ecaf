import assert from 'node:assert/strict'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { createTenantryClient } from '../client/client.ts'
import { type SealedSecrets, senderSecretContext } from '../server/delivery/sender-secrets.ts'
import { createKeyring } from '../server/secrets/keyring.ts'
import { keepSecrets, readKeptSecrets } from '../server/settings/kept-secrets.ts'
import { dumpFile } from '../server/storage/sqlite/open-storage.testkit.ts'
import { openSqliteStorage } from '../server/storage/sqlite/sqlite-storage.ts'
import { addPerson, type Person } from '../test/support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../test/support/service.ts'
import { type } from './terminal.testkit.ts'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-keys-'))
})
after(() => rm(folder, { recursive: true }))

const keyOf = (id: string, fill: number): string => `${id}:${Buffer.alloc(32, fill).toString('base64')}`
const k1 = keyOf('k1', 1)
const k2 = keyOf('k2', 2)

const pathOf = (name: string): string => join(folder, name, 'data', 'tenantry.db')

/** A server on the database of this name, with these master keys; it lives by the machine's clock, as the command does. */
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

/** A code that was sent, and is known. */
async function sendCode(service: TestService, person: Person): Promise<{ id: string; code: string }> {
  const { id } = await person.issue('reset_password')
  return { id, code: await service.codeOf(id) }
}

const clientOf = (service: TestService, { key }: TestTenant) =>
  createTenantryClient({ baseUrl: service.baseUrl, tenantKey: key })

const verify = (service: TestService, tenant: TestTenant, otp: { id: string; code: string }) =>
  clientOf(service, tenant).verifyOtp({ ...otp, scope: 'reset_password' })

/** What a tenant's senders sign in with, as the keys open it. */
function secretsOf(name: string, tenantId: string, masterKeys: string): string[] {
  const [row] = dumpFile(pathOf(name))['tenants'] ?? []
  const sealed: SealedSecrets = JSON.parse(String(row?.['modules'])).$senderSecrets
  const keyring = createKeyring(masterKeys)
  return Object.entries(sealed).map(([place, text]) => keyring.open(text, senderSecretContext(tenantId, place)))
}

test('a key is replaced step by step, and servers serve during all of it', async () => {
  const name = 'steps'
  const first = await serve(name, k1)
  const tenant = await first.addTenant({ configuration: { delivery, otp: { resendIntervalSeconds: 0 } } })
  const person = await addPerson(first, tenant)
  const { accessToken, refreshToken } = await person.signIn()
  const stayed = await person.signIn()
  const otps = await Promise.all([1, 2, 3, 4].map(() => sendCode(first, person)))

  // Nobody knows k2 yet: nothing may be sealed under it.
  const before = dumpFile(pathOf(name))
  const tooEarly = await rotate(name, `${k2},${k1}`)
  assert.equal(tooEarly.exitCode, 1)
  assert.match(
    tooEarly.output,
    /^Sealed under k1: 1 signing keys, 4 codes, 4 testing channel messages, 2 sender secrets\.\n$/,
  )
  assert.match(tooEarly.errors, /^A server that does not know k2 could not open.*with --restarted\.\n$/)
  assert.deepEqual(dumpFile(pathOf(name)), before)
  await verify(first, tenant, otps[0]!)
  await first.close()

  // One knows it, the other begins to seal under it.
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
    /^Sealed anew under k2: 1 signing keys, 3 codes, 4 testing channel messages, 2 sender secrets\.\nSealed under k2: .*\nNothing is sealed under k1: unless it is a new one that is yet to be the first, it can be removed\. Until 30 days after the restart, that ends the detection of reuse /,
  )
  await verify(second, tenant, otps[1]!)
  await verify(third, tenant, otps[2]!)

  // A server that has k1 in front seals under it again; that is told, and done once more.
  await sendCode(second, {
    ...person,
    issue: () => clientOf(second, tenant).resetPassword({ step: 'challenge', email: person.email }),
  })
  const toldAgain = await rotate(name, `${k2},${k1}`)
  assert.equal(toldAgain.exitCode, 1)
  assert.match(toldAgain.output, /Sealed under k1: 1 codes, 1 testing channel messages\./)
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
  // Who has not come back under the new key comes back without the old one, too.
  await clientOf(last, tenant).refreshSession(stayed)
  await last.close()
})

test('keys of the service’s own making: made, restarted, sealed anew, forgotten', async () => {
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
    /^Made the master key k\d{8}; it is the first in .*secrets\.json now\. Nothing is sealed under it yet\.\nRestart every server/,
  )
  assert.match(kept(), new RegExp(`^k\\d{8}:[^,]{44},${k1}$`))
  assert.equal(readKeptSecrets(file).adminKey, 'stays as it is')
  assert.equal((await stat(file)).mode & 0o777, 0o600)
  assert.ok(!`${made.output}${made.errors}`.includes(kept().slice(10, 40)))

  const [text, before] = [kept(), dumpFile(pathOf(name))]
  assert.equal((await words('rotate')).exitCode, 1)
  assert.deepEqual([kept(), dumpFile(pathOf(name))], [text, before])
  await verify(first, tenant, otps[0]!)
  await first.close()

  const second = await serve(name, kept())
  assert.match((await words('forget', 'k1')).errors, /^Something is sealed under k1 still/)
  const done = await words('rotate', '--restarted')
  assert.equal(done.exitCode, 0, done.errors)
  assert.match(done.output, /Nothing is sealed under k1: .*it can be removed\./)
  await verify(second, tenant, otps[1]!)
  assert.equal((await words('rotate')).exitCode, 0, 'done, and done again')
  assert.equal(kept(), text, 'no second key while there are two')

  assert.match((await words('forget', text.split(':')[0]!)).errors, /is the key that seals/)
  assert.match((await words('forget', 'k9')).errors, /has no key k9; it has k\d{8}, k1\.\n$/)
  assert.match((await words('forget', 'k1')).output, /has no k1 any more: restart every server\.\n$/)
  assert.equal(kept(), text.split(',')[0])
  assert.match((await words('rotate')).output, /^Made the master key k\d{8}-2;/)
  await second.close()
})

test('a key is not forgotten while something is sealed under another one that is called so', async () => {
  const name = 'otherwise'
  const file = join(folder, name, 'data', 'secrets.json')
  const masterKeys = `${k2},${keyOf('k1', 3)}`
  keepSecrets(file, { masterKeys })
  const service = await serve(name, k1)
  await sendCode(service, await addPerson(service, await service.addTenant()))
  await service.close()
  const { errors } = await type(['master-key', 'forget', 'k1'], { folder: join(folder, name), env: {} })
  assert.match(errors, /^Something is sealed under k1 still/)
  assert.equal(readKeptSecrets(file).masterKeys, masterKeys)
})

test('a key that is not the one it is called is never called removable', async () => {
  const name = 'steps'
  const before = dumpFile(pathOf(name))
  const wrong = await rotate(name, `${k1},${keyOf('k2', 3)}`, '--restarted')
  assert.equal(wrong.exitCode, 1)
  assert.match(wrong.output, /Sealed under k2, and no key that is set opens it: 1 signing keys/)
  assert.doesNotMatch(wrong.output, /can be removed/)
  assert.match(wrong.errors, /^Something is sealed under another key called k2, or was altered: keep the key\.\n$/)
  const missing = await rotate(name, k1, '--restarted')
  assert.equal(missing.exitCode, 1)
  assert.match(missing.output, /^Sealed anew under k1: nothing\.\nSealed under k2, and no key that is set opens it: /)
  assert.match(missing.errors, /^Something is sealed under k2, and no key that is set opens it: set the key .*\n$/)
  const first = await rotate(name, keyOf('k2', 3), '--restarted')
  assert.equal(first.exitCode, 1)
  assert.match(first.errors, /^Something is sealed under another key called k2, or was altered: keep the key\.\n$/)
  assert.deepEqual(dumpFile(pathOf(name)), before)
})

test('mistakes are answered in plain words', async () => {
  const path = pathOf('steps')
  const say = async (env: Record<string, string>) => (await type(['master-key', 'rotate'], { env, folder })).errors
  assert.match(
    await say({ DATABASE_URL: 'sqlite:none.db', TENANTRY_MASTER_KEYS: k1 }),
    /^There is no database .*none\.db/,
  )
  assert.match(await say({ DATABASE_URL: `sqlite:${path}` }), /^No master keys: set TENANTRY_MASTER_KEYS/)
  assert.match(
    await say({ DATABASE_URL: `sqlite:${path}`, TENANTRY_MASTER_KEYS: 'k1' }),
    /^TENANTRY_MASTER_KEYS: entry 1 has no colon/,
  )
  const forget = await type(['master-key', 'forget', 'k1'], {
    env: { DATABASE_URL: `sqlite:${path}`, TENANTRY_MASTER_KEYS: k1 },
  })
  assert.match(forget.errors, /^Take k1 out of TENANTRY_MASTER_KEYS yourself, and restart the servers\.\n$/)
  const unread = { DATABASE_URL: `sqlite:${pathOf('kept')}`, TENANTRY_MASTER_KEYS_FILE: join(folder, 'none') }
  assert.match(await say(unread), /^TENANTRY_MASTER_KEYS_FILE: ENOENT/)
  const production = { DATABASE_URL: `sqlite:${pathOf('kept')}`, TENANTRY_ENVIRONMENT: 'production' }
  assert.match(await say(production), /^No master keys/)
})
