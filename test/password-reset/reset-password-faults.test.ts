import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { HashCaller, PasswordHasher } from '../../server/passwords/password-hasher.ts'
import { onPostgres } from '../support/databases/open-database.ts'
import { changesNothing, storedOtp, storedRows } from '../support/databases/stored-rows.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { cheapHasher, startTestService, type TestService, type TestTenant } from '../support/service.ts'

/** What fails: the hash, the statement of this name, or the COMMIT of its transaction. */
interface Fault {
  readonly hash?: true
  readonly statement?: string
  readonly commitAfter?: string
}
let fault: Fault = {}
let wasMet = false
let mustNotCommit = false
let service: TestService
let tenant: TestTenant

const hasher: PasswordHasher = Object.assign(Object.create(cheapHasher()), {
  hash(password: string, caller: HashCaller) {
    if (fault.hash) failNow('the hasher ran out of memory')
    return Object.getPrototypeOf(this).hash(password, caller)
  },
})
const hooks = {
  onStatement(name: string) {
    if (name === fault.statement) failNow('the disk was pulled')
    if (name === fault.commitAfter) mustNotCommit = true
  },
  beforeCommit() {
    if (mustNotCommit) failNow('the disk was pulled at COMMIT')
  },
}

function failNow(message: string): never {
  wasMet = true
  mustNotCommit = false
  throw new Error(message)
}

/** Has a fault while `act` runs, in the repetition of a transaction too. */
async function during<T>(given: Fault, act: () => Promise<T>): Promise<T> {
  fault = given
  wasMet = false
  const result = await act()
  assert.ok(wasMet, 'the fault was not met')
  fault = {}
  return result
}

before(async () => {
  service = await startTestService({ hasher, hooks })
  tenant = await service.addTenant()
})
after(() => service.close())

const faults = {
  'the hash': { hash: true },
  'the UPDATE of the password': { statement: 'user.resetPassword' },
  'the end of the sessions': { statement: 'session.revokeAllOf' },
  'the cancelling of other resets': { statement: 'otp.cancelLive' },
  'the notice to the user': { statement: 'message.add' },
  'the COMMIT': { commitAfter: 'message.add' },
} as const

for (const [what, failing] of Object.entries(faults)) {
  test(`a confirm that fails at ${what} changes nothing, and succeeds when retried`, async () => {
    const person = await addPerson(service, tenant)
    const client = await person.client()
    const { id: other } = await person.issue('reset_password')
    const token = await person.verified('reset_password')
    const confirm = () => tenant.client.resetPassword({ step: 'confirm', token, password: 'battery staple' })

    await changesNothing(service, () => during(failing, () => refused(confirm(), 'OTP_CONSUME_CALLBACK_ERROR')))
    assert.equal(storedOtp(service, token)['state'], 'verified')
    assert.equal(storedOtp(service, other)['state'], 'pending')
    await client.updateProfile({})
    await person.signIn()
    await refused(person.signIn('battery staple'), 'INVALID_CREDENTIALS')

    assert.deepEqual(await confirm(), { success: true })
    await person.signIn('battery staple')
    await refused(client.updateProfile({}), 'INVALID_USER_TOKEN')
    const notices = storedRows(
      service,
      "SELECT * FROM outbox WHERE kind = 'password_changed' AND user_id = ?",
      person.userId,
    )
    assert.equal(notices.length, 1)
  })
}

test('the answer to a failed confirm does not reveal the cause; the log does, under the same request id', async () => {
  const person = await addPerson(service, tenant)
  const token = await person.verified('reset_password')
  const body = { step: 'confirm' as const, token, password: 'battery staple' }
  const { message, requestId } = await during({ statement: 'user.resetPassword' }, () =>
    refused(tenant.client.resetPassword(body), 'OTP_CONSUME_CALLBACK_ERROR'),
  )
  assert.doesNotMatch(message, /disk|SQL|UPDATE/)
  const lines = service.log.filter((line) => JSON.parse(line).requestId === requestId)
  assert.equal(lines.length, 1)
  assert.match(lines[0]!, /the disk was pulled/)
  assert.doesNotMatch(lines[0]!, /battery staple/)
})

test('a right code whose effect cannot be stored stays pending, and earlier wrong codes stay counted', async () => {
  const person = await addPerson(service, tenant)
  const scope = 'email_verification'
  const { id } = await person.issue(scope)
  const code = await service.codeOf(id)
  const verify = (code: string) => tenant.client.verifyOtp({ id, scope, code })
  await refused(verify(`${code}0`), 'OTP_INVALID_CODE')
  for (const statement of ['user.verifyEmail', 'otp.consume']) {
    await changesNothing(service, () => during({ statement }, () => refused(verify(code), 'INTERNAL_SERVER')))
  }
  const { state, wrong_codes } = storedOtp(service, id)
  assert.deepEqual({ state, wrong_codes }, { state: 'pending', wrong_codes: 1 })
  assert.deepEqual(await verify(code), { success: true })
})

/** The statement that queues a message; on PostgreSQL it also writes the one-time password. */
const queueing = onPostgres
  ? { issued: 'postgres.otp.issueWithEvent', resent: 'postgres.otp.resend' }
  : { issued: 'message.add', resent: 'message.add' }

test('a challenge whose message cannot be queued creates no one-time password', async () => {
  const person = await addPerson(service, tenant)
  await changesNothing(service, () =>
    during({ statement: queueing.issued }, () => refused(person.issue('reset_password'), 'INTERNAL_SERVER')),
  )
})

test('does not count a resend whose message cannot be queued', async () => {
  const person = await addPerson(service, tenant)
  const { id } = await person.issue('reset_password')
  service.clock.advance(60_000)
  const resend = () => tenant.client.resendOtp({ id, scope: 'reset_password' })
  await changesNothing(service, () =>
    during({ statement: queueing.resent }, () => refused(resend(), 'INTERNAL_SERVER')),
  )
  await resend()
})
