import assert from 'node:assert/strict'
import { createCipheriv, scryptSync } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { ImportedPassword } from '../../contract/admin/imported-password.ts'
import { isFastDigest } from '../../server/passwords/imported/digest.ts'
import { firebaseSample, publishedHashes } from '../../server/passwords/imported/published-hashes.testkit.ts'
import { type HashCaller, type PasswordHasher, PasswordHasherBusy } from '../../server/passwords/password-hasher.ts'
import { storedRow } from '../support/databases/stored-rows.ts'
import { importInto } from '../support/import-into.ts'
import { refused } from '../support/refused.ts'
import { sampleOf } from '../support/runner/sample-size.ts'
import { cheapHasher, startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let tenant: TestTenant
let isFull = false
before(async () => {
  const cheap = cheapHasher()
  const hasher: PasswordHasher = Object.assign(Object.create(cheap), {
    hash: (password: string, caller: HashCaller) =>
      isFull ? Promise.reject(new PasswordHasherBusy()) : cheap.hash(password, caller),
  })
  service = await startTestService({ hasher })
  tenant = await service.addTenant()
})
after(() => service.close())

const signIn = (email: string, password: string) => tenant.client.signIn({ method: 'password', email, password })
const storedHash = (email: string) =>
  String(storedRow(service, 'SELECT password_hash FROM users WHERE email = ?', email)['password_hash'])
/** The hash format of this service's hasher. */
const ours = /^\$argon2id\$v=19\$m=8,t=1,p=1\$/

async function importUser(email: string, passwordHash: ImportedPassword): Promise<void> {
  assert.equal((await importInto(service, tenant, [{ email, passwordHash }])).counts.imported, 1)
}

/** Sign-in does not accept the empty password of some published hashes. */
const families = publishedHashes.filter(({ password }) => password !== '')

for (const [index, { source, password, given }] of sampleOf(families).entries()) {
  const name = typeof given === 'string' ? given.slice(0, given.lastIndexOf('$')) : given.algorithm
  test(`${name} (${source}): signs in and replaces the hash with ours`, async () => {
    const email = `family-${index}@example.com`
    await importUser(email, given)
    await service.service.services.digestWrapping.run()
    const imported = storedHash(email)
    assert.ok(!isFastDigest(imported), imported)
    await refused(signIn(email, `x${password}`), 'INVALID_CREDENTIALS')
    assert.equal(storedHash(email), imported)
    const { user } = await signIn(email, password)
    assert.deepEqual(user.methods, ['password'])
    const renewed = storedHash(email)
    assert.match(renewed, ours)
    await signIn(email, password)
    assert.equal(storedHash(email), renewed)
    await refused(signIn(email, `x${password}`), 'INVALID_CREDENTIALS')
  })
}

/** A Firebase hash (github.com/firebase/scrypt): the signer key, encrypted with the key that scrypt derives. */
function firebaseHash(password: string): ImportedPassword {
  const bytes = (text: string) => Buffer.from(text, 'base64')
  const salt = Buffer.concat([bytes(firebaseSample.salt), bytes(firebaseSample.saltSeparator)])
  const key = scryptSync(password, salt, 32, { N: 2 ** 10, r: 8, p: 1 })
  const hash = createCipheriv('aes-256-ctr', key, Buffer.alloc(16)).update(bytes(firebaseSample.signerKey))
  return { ...firebaseSample, memoryCost: 10, hash: hash.toString('base64') }
}

test('accepts an imported password that is shorter than a new one may be', async () => {
  const email = 'short@example.com'
  await importUser(email, firebaseHash('sesame'))
  for (let time = 0; time < 2; time++) await signIn(email, 'sesame')
  assert.match(storedHash(email), ours)
  const { accessToken } = await signIn(email, 'sesame')
  const change = { currentPassword: 'sesame', password: 'simsim' }
  await refused(tenant.client.withSession(accessToken).changePassword(change), 'VALIDATION_ERROR')
})

test('signs in without replacing the hash when the hash queue is full; the next sign-in replaces it', async () => {
  const [email, password] = ['busy@example.com', 'sesame']
  await importUser(email, firebaseHash(password))
  const imported = storedHash(email)
  isFull = true
  await signIn(email, password)
  assert.equal(storedHash(email), imported)
  isFull = false
  await signIn(email, password)
  assert.match(storedHash(email), ours)
})

test('removes an imported password at the first proof of its address, unless the address was imported as verified', async () => {
  for (const emailVerified of [false, true]) {
    const email = `verified-${emailVerified}@example.com`
    const passwordHash = firebaseHash('sesame')
    await importInto(service, tenant, [{ email, emailVerified, passwordHash }])
    const { id } = await tenant.client.issueOtp({ scope: 'otp_signin', email })
    await tenant.client.verifyOtp({ id, scope: 'otp_signin', code: await service.codeOf(id) })
    await tenant.client.signIn({ method: 'otp', token: id })
    if (emailVerified) await signIn(email, 'sesame')
    else await refused(signIn(email, 'sesame'), 'INVALID_CREDENTIALS')
  }
})
