import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { HashCaller, PasswordHasher } from '../../server/passwords/password-hasher.ts'
import { addressTakeover } from '../support/attacks/address-takeover.ts'
import { writeStored } from '../support/databases/stored-rows.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { cheapHasher, startTestService, type TestService, type TestTenant } from '../support/service.ts'
import {
  addOpenTenant,
  enteredCode,
  newEmail,
  newPhone,
  type Recipient,
  signInByCode,
} from '../support/sign-in-methods.ts'

/** Runs once, while a password is hashed or verified. */
let meanwhile: (() => Promise<void>) | null = null
let service: TestService
let tenant: TestTenant
let takeover: ReturnType<typeof addressTakeover>

async function takeLong(): Promise<void> {
  const act = meanwhile
  meanwhile = null
  await act?.()
}
const cheap = cheapHasher()
const hasher: PasswordHasher = Object.assign(Object.create(cheap), {
  async hash(password: string, caller: HashCaller) {
    await takeLong()
    return cheap.hash(password, caller)
  },
  async verify(stored: string, password: string, caller: HashCaller) {
    await takeLong()
    return cheap.verify(stored, password, caller)
  },
})

before(async () => {
  service = await startTestService({ hasher })
  tenant = await addOpenTenant(service)
  takeover = addressTakeover(service, tenant)
})
after(() => service.close())

/** A person with a password and a verified address. */
async function addProven() {
  const person = await addPerson(service, tenant)
  await writeStored(service, 'UPDATE users SET email_verified_at = 1 WHERE id = ?', person.userId)
  return person
}

/** A code to the address that is requested and verified while `act` hashes. */
async function codeDuring(to: Recipient, act: () => Promise<unknown>): Promise<string> {
  let token = ''
  meanwhile = async () => {
    service.clock.advance(500)
    token = await enteredCode(service, tenant, to)
    service.clock.advance(500)
  }
  await act()
  assert.notEqual(token, '')
  return token
}

const isRefused = (token: string) => refused(tenant.client.signIn({ method: 'otp', token }), 'OTP_NOT_CONSUMABLE')

test('a change of password refuses codes that were requested while it was hashed', async () => {
  const { email, client } = await addProven()
  const own = await client()
  await isRefused(await codeDuring({ email }, () => own.changePassword({ password: 'battery staple' })))
})

test('a sign-in that ends other sessions refuses codes that were requested while it was verified', async () => {
  const { email, password } = await addProven()
  const proof = { method: 'password', email, password, endOtherSessions: true } as const
  await isRefused(await codeDuring({ email }, () => tenant.client.signIn(proof)))
})

test('a reset at a younger address refuses codes to it that were requested while it was hashed', async () => {
  const { accessToken } = await signInByCode(service, tenant, { phone: newPhone() })
  const owner = tenant.client.withSession(accessToken)
  service.clock.advance(1_000)
  const email = await takeover.change('email', owner, newEmail())
  await owner.changePassword({ password: 'chosen with the address' })
  const { id } = await tenant.client.resetPassword({ step: 'challenge', email })
  await tenant.client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
  const confirm = { step: 'confirm', token: id, password: 'chosen by the owner' } as const
  await isRefused(await codeDuring({ email }, () => tenant.client.resetPassword(confirm)))
})

test('a reset that expires while its password is hashed is judged by the time of its request', async () => {
  const { email, signIn } = await addProven()
  const { id, expiresAt } = await tenant.client.resetPassword({ step: 'challenge', email })
  await tenant.client.verifyOtp({ id, scope: 'reset_password', code: await service.codeOf(id) })
  meanwhile = async () => service.clock.advance(Date.parse(expiresAt) - service.clock.now())
  await tenant.client.resetPassword({ step: 'confirm', token: id, password: 'in good time' })
  await signIn('in good time')
})

test('an undo for a younger number refuses codes to it that were requested while it was hashed', async () => {
  const session = await signInByCode(service, tenant, { email: newEmail() })
  const owner = tenant.client.withSession(session.accessToken)
  service.clock.advance(1_000)
  const phone = await takeover.change('phone', owner, newPhone())
  service.clock.advance(1_000)
  await owner.removeIdentity({ identityId: 'phone' })
  const undo = await takeover.undoOf(phone)
  await isRefused(await codeDuring({ phone }, () => tenant.client.recoverAccount(undo)))
})
