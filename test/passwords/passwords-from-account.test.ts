import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const refusal = { password: 'Validation rule not met' }
const name = 'Acme Móveis'
let service: TestService
let strict: TestTenant
let lenient: TestTenant
before(async () => {
  service = await startTestService()
  const auth = { methods: ['password', 'otp', 'guest'] }
  strict = await service.addTenant({ configuration: { auth, security: { passwordBlocklist: true } } })
  lenient = await service.addTenant({ configuration: { auth } })
  for (const { tenantId } of [strict, lenient]) await service.admin.updateTenant({ tenantId }, { name })
})
after(() => service.close())

let addresses = 0
const newAddress = () => `jane.doe-${++addresses}@example.com`

/** Passwords that attackers derive from the account, in any letter case. */
function derivedFrom(email: string): string[] {
  const [local = ''] = email.split('@')
  const words = [email, local, name]
  return words.flatMap((word) => [word, word.toUpperCase(), `${word[0]!.toUpperCase()}${word.slice(1)}`])
}

/** Asserts that each derived password is refused and changes nothing, and that others are accepted. */
async function refusesDerived(email: string, choose: (password: string) => Promise<unknown>): Promise<void> {
  await changesNothing(service, async () => {
    for (const password of derivedFrom(email)) await invalid(choose(password), refusal)
  })
  await choose(`${email}!`)
}

test('refuses a password derived from the address or the tenant at sign-up', async () => {
  const email = newAddress()
  await refusesDerived(email, (password) => strict.client.signUp({ method: 'password', email, password }))
  for (const password of derivedFrom(email)) {
    await lenient.client.signUp({ method: 'password', email: newAddress(), password })
  }
})

test('refuses a new password derived from the address or the tenant', async () => {
  const person = await addPerson(service, strict)
  const client = await person.client()
  await refusesDerived(person.email, (password) =>
    client.changePassword({ currentPassword: person.password, password }),
  )
  const other = await addPerson(service, lenient)
  await (await other.client()).changePassword({ currentPassword: other.password, password: other.email })
})

test('refuses an added password derived from the address it will sign in with', async () => {
  const email = newAddress()
  const { accessToken } = await strict.client.signIn({ method: 'guest' })
  const guest = strict.client.withSession(accessToken)
  await refusesDerived(email, (password) => guest.addIdentity({ method: 'password', email, password }))

  const known = newAddress()
  const { id } = await strict.client.issueOtp({ scope: 'otp_signin', email: known })
  await strict.client.verifyOtp({ id, scope: 'otp_signin', code: await service.codeOf(id) })
  const session = await strict.client.signIn({ method: 'otp', token: id })
  const client = strict.client.withSession(session.accessToken)
  await refusesDerived(known, (password) => client.addIdentity({ method: 'password', password }))
})

test('refuses a reset to a password derived from the address or the tenant; the reset can still be confirmed', async () => {
  const person = await addPerson(service, strict)
  const token = await person.verified('reset_password')
  await refusesDerived(person.email, (password) => strict.client.resetPassword({ step: 'confirm', token, password }))
  const other = await addPerson(service, lenient)
  const confirmed = await other.verified('reset_password')
  await lenient.client.resetPassword({ step: 'confirm', token: confirmed, password: other.email })
})

test('refuses the same passwords for resets of known and unknown addresses', async () => {
  const security = { passwordBlocklist: true, enumerationProtection: true }
  const quiet = await service.addTenant({ configuration: { security } })
  const person = await addPerson(service, quiet)
  for (const email of [person.email, 'unknown-address@example.com']) {
    const { id: token } = await quiet.client.resetPassword({ step: 'challenge', email })
    const confirm = (password: string) => quiet.client.resetPassword({ step: 'confirm', token, password })
    await invalid(confirm(email), refusal)
    await refused(confirm('correct battery staple'), 'OTP_NOT_CONSUMABLE')
  }
})

test('refuses an operator’s user with a password derived from the account, without hashing', async () => {
  const { tenantId } = strict
  const email = newAddress()
  const { hasher } = service.service.services
  const before = hasher.hashes
  await changesNothing(service, async () => {
    for (const password of derivedFrom(email)) {
      await invalid(service.admin.createUser({ tenantId }, { email, password }), refusal)
    }
  })
  assert.equal(hasher.hashes, before)
  // Without an e-mail address, only the tenant's name counts.
  const phone = '+33612345678'
  await invalid(service.admin.createUser({ tenantId }, { phone, password: name }), refusal)
  await service.admin.createUser({ tenantId }, { phone, password: email })
  await service.admin.createUser({ tenantId: lenient.tenantId }, { email, password: email })
})
