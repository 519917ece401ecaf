import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { ClientGone, type HashCaller, type PasswordHasher } from '../../server/passwords/password-hasher.ts'
import { openTestDatabase } from '../support/databases/open-database.ts'
import { storedRow, storedRows, writeStored } from '../support/databases/stored-rows.ts'
import { importInto, read } from '../support/import-into.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { cheapHasher, startTestService, type TestService, type TestTenant } from '../support/service.ts'
import { until } from '../support/until.ts'

const password = 'sesame street'
const sha1 = (text: string) => hash('sha1', text, 'buffer')
const stored = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
/** A digest in the format of earlier versions. */
const digestOf = (text: string) => `$digest-sha1$i=1,o=salt-first$c2FsdA$${stored(sha1(`salt${text}`))}`
const imported = (text: string) =>
  ({
    ...{ algorithm: 'sha1', hash: sha1(`salt${text}`).toString('hex'), encoding: 'hex' },
    ...{ salt: 'salt', saltEncoding: 'utf8', order: 'salt-first' },
  }) as const

const wrapped = /^\$wrapped\$digest-sha1\$i=1,o=salt-first\$c2FsdA\$argon2id\$v=19\$m=8,t=1,p=1\$/
const ours = /^\$argon2id\$v=19\$m=8,t=1,p=1\$/
const hashOf = (service: TestService, email: string) =>
  String(storedRow(service, 'SELECT password_hash FROM users WHERE email = ?', email)['password_hash'])
const fastDigests = (service: TestService) =>
  storedRows(
    service,
    "SELECT id FROM users WHERE password_hash LIKE '$digest-%' OR password_hash LIKE '$hmac-%' ORDER BY id",
  )
const signIn = ({ client }: TestTenant, email: string, given = password) =>
  client.signIn({ method: 'password', email, password: given })

/** A user with a fast digest that was stored before digests were wrapped. */
async function addOld(service: TestService, tenant: TestTenant, given = password): Promise<string> {
  const { email, userId } = await addPerson(service, tenant)
  await writeStored(service, 'UPDATE users SET password_hash = ? WHERE id = ?', digestOf(given), userId)
  return email
}

/** A service with a hasher whose calls the test can block. */
async function startHeld(hold: Partial<Record<'verified' | 'wrapped', (caller: HashCaller) => Promise<void>>>) {
  const cheap = cheapHasher()
  const hasher: PasswordHasher = Object.assign(Object.create(cheap), {
    async verify(...call: Parameters<PasswordHasher['verify']>) {
      const matches = await cheap.verify(...call)
      await hold.verified?.(call[2])
      return matches
    },
    async wrap(...call: Parameters<PasswordHasher['wrap']>) {
      const text = await cheap.wrap(...call)
      await hold.wrapped?.(call[1])
      return text
    },
  })
  return startTestService({ hasher })
}

test('wraps imported fast digests right after the import and stores the digest nowhere', async () => {
  await using service = await startTestService()
  const tenant = await service.addTenant()
  const rows = Array.from({ length: 50 }, (_, n) => ({
    email: `${n}@example.com`,
    passwordHash: imported(`${password} ${n}`),
  }))
  assert.equal((await importInto(service, tenant, rows)).counts.imported, 50)
  await until(() => fastDigests(service).length === 0)
  for (const { email } of rows) assert.match(hashOf(service, email), wrapped)
  assert.ok(!JSON.stringify(service.database.everything()).includes(stored(sha1(`salt${password} 7`))))
  await refused(signIn(tenant, '7@example.com', password), 'INVALID_CREDENTIALS')
  await refused(signIn(tenant, '7@example.com', stored(sha1(`salt${password} 7`))), 'INVALID_CREDENTIALS')
  await signIn(tenant, '7@example.com', `${password} 7`)
  assert.match(hashOf(service, '7@example.com'), ours)
})

test('wraps digests of earlier versions in housekeeping; until then their passwords sign in', async () => {
  await using service = await startTestService()
  const tenant = await service.addTenant()
  const [early, late] = [await addOld(service, tenant), await addOld(service, tenant)]
  await signIn(tenant, early)
  assert.match(hashOf(service, early), ours)
  const { updated_at: before } = storedRow(service, 'SELECT updated_at FROM users WHERE email = ?', late)
  service.clock.advance(60_000)
  await service.service.services.housekeeping.run()
  await until(() => fastDigests(service).length === 0)
  assert.match(hashOf(service, early), ours)
  assert.match(hashOf(service, late), wrapped)
  const { updated_at: after } = storedRow(service, 'SELECT updated_at FROM users WHERE email = ?', late)
  assert.equal(after, before, 'the user is unchanged')
  await signIn(tenant, late)
  assert.match(hashOf(service, late), ours)
})

test('signs in and replaces the hash although the digest is wrapped during the comparison', async () => {
  let wrapNow: () => Promise<void> = () => Promise.resolve()
  await using service = await startHeld({ verified: () => wrapNow() })
  const tenant = await service.addTenant()
  const email = await addOld(service, tenant)
  wrapNow = () => {
    wrapNow = () => Promise.resolve()
    return service.service.services.digestWrapping.run()
  }
  await signIn(tenant, email)
  assert.match(hashOf(service, email), ours)
  assert.equal(storedRows(service, 'SELECT id FROM sessions').length, 1)
})

test('keeps a password that is reset while its old digest is wrapped', async () => {
  const goOn = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  const hold = () => {
    reached.resolve()
    return goOn.promise
  }
  await using service = await startHeld({ wrapped: hold })
  const tenant = await service.addTenant()
  const person = await addPerson(service, tenant)
  const token = await person.verified('reset_password')
  await writeStored(service, 'UPDATE users SET password_hash = ? WHERE id = ?', digestOf(password), person.userId)
  const pass = service.service.services.digestWrapping.run()
  await reached.promise
  await tenant.client.resetPassword({ step: 'confirm', token, password: 'battery staple' })
  const reset = hashOf(service, person.email)
  goOn.resolve()
  await pass
  assert.equal(hashOf(service, person.email), reset)
  await person.signIn('battery staple')
})

test('takes turns between tenants, so that many digests of one do not delay another', async () => {
  const tenants: string[] = []
  await using service = await startHeld({
    wrapped: async ({ tenantId }) => {
      tenants.push(tenantId)
    },
  })
  const [many, few] = [await service.addTenant(), await service.addTenant()]
  const add = async (tenant: TestTenant, count: number) => {
    for (let n = 0; n < count; n++) await addOld(service, tenant)
  }
  await add(many, 70)
  await add(few, 5)
  await service.service.services.digestWrapping.run()
  assert.equal(tenants.length, 75)
  assert.ok(tenants.lastIndexOf(few.tenantId) < 30, tenants.join())
})

test('skips a malformed digest without changing it, and wraps the digests after it', async () => {
  await using service = await startTestService()
  const tenant = await service.addTenant()
  const broken = await addPerson(service, tenant)
  const malformed = '$digest-sha1$i=0,o=salt-first$c2FsdA$x'
  await writeStored(service, 'UPDATE users SET password_hash = ? WHERE id = ?', malformed, broken.userId)
  const email = await addOld(service, tenant)
  await service.service.services.digestWrapping.run()
  assert.equal(hashOf(service, broken.email), malformed)
  assert.match(hashOf(service, email), wrapped)
  await refused(broken.signIn(), 'INVALID_CREDENTIALS')
})

test('continues a pass interrupted by shutdown in the next process', async () => {
  const database = openTestDatabase()
  const reached = Promise.withResolvers<void>()
  const first = await startTestService({
    database,
    hasher: Object.assign(Object.create(cheapHasher()), {
      wrap: (_text: string, { gone }: HashCaller) =>
        new Promise((_, reject) => {
          gone?.().addEventListener('abort', () => reject(new ClientGone()))
          reached.resolve()
        }),
    }),
  })
  const tenant = await first.addTenant()
  const email = await addOld(first, tenant)
  first.service.services.digestWrapping.wake()
  await reached.promise
  await first.close()
  assert.deepEqual(
    first.log.filter((line) => line.includes('imported_digests')),
    [],
  )
  {
    await using second = await startTestService({ database, masterKeys: first.masterKeys })
    assert.equal(hashOf(second, email), digestOf(password))
    await second.service.services.digestWrapping.run()
    assert.match(hashOf(second, email), wrapped)
  }
  await database.release()
})

test('stops after the current hash, which is stored', async () => {
  const goOn = Promise.withResolvers<void>()
  const reached = Promise.withResolvers<void>()
  await using service = await startHeld({
    wrapped: () => {
      reached.resolve()
      return goOn.promise
    },
  })
  const tenant = await service.addTenant()
  await addOld(service, tenant)
  await addOld(service, tenant)
  const { digestWrapping } = service.service.services
  digestWrapping.wake()
  await reached.promise
  const stopped = digestWrapping.stop()
  goOn.resolve()
  await stopped
  assert.equal(fastDigests(service).length, 1)
  await digestWrapping.run()
  assert.equal(fastDigests(service).length, 1)
})

test('logs an error, and continues in the next pass', async () => {
  let isBroken = true
  const hooks = {
    onStatement(name: string) {
      if (isBroken && name === 'user.rehashPassword') throw new Error('the disk was pulled')
    },
  }
  await using service = await startTestService({ hooks })
  const tenant = await service.addTenant()
  const email = await addOld(service, tenant)
  await service.service.services.digestWrapping.run()
  assert.equal(hashOf(service, email), digestOf(password))
  assert.equal(service.log.filter((line) => line.includes('housekeeping task failed; retrying in 60 s')).length, 1)
  isBroken = false
  await service.service.services.digestWrapping.run()
  assert.match(hashOf(service, email), wrapped)
})

test('exports and imports a wrapped digest like any other hash', async () => {
  await using service = await startTestService()
  const [from, to] = [await service.addTenant(), await service.addTenant()]
  const email = await addOld(service, from)
  await service.service.services.digestWrapping.run()
  const lines = await read(service.admin.exportUsers({ tenantId: from.tenantId }, { passwordHashes: 'true' }))
  const users = lines.flatMap((line) => ('email' in line ? [line] : []))
  assert.match(JSON.stringify(users), /\$wrapped\$digest-sha1/)
  const rows = users.map(({ email, passwordHash }) => ({ email, passwordHash }))
  assert.equal((await importInto(service, to, rows as never)).counts.imported, 1)
  await signIn(to, email)
})
