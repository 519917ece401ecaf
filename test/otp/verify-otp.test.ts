import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { OtpScope } from '../../contract/accounts/otp.ts'
import { changesNothing, storedOtp, storedRow } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { bytesOf, exchange } from '../support/http/wire.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
})
after(() => service.close())

const scope = 'otp_signin'
const issue = ({ client } = tenant) => client.issueOtp({ scope, email: 'jane@example.com' })
const verify = (id: string, code: string, scope: OtpScope = 'otp_signin') =>
  tenant.client.verifyOtp({ id, scope, code })

test('verifies the right code once, and erases it', async () => {
  const { id } = await issue()
  const code = await service.codeOf(id)
  const before = storedOtp(service, id)
  const answer = await request(service, 'POST /otp/verify', { key: tenant.key, body: { id, scope, code } })
  assert.equal(answer.status, 201)
  assert.deepEqual(answer.body.data, { success: true })
  const now = service.clock.now()
  assert.deepEqual(storedOtp(service, id), { ...before, state: 'verified', sealed_code: null, verified_at: now })
  await changesNothing(service, () => refused(verify(id, code), 'OTP_ALREADY_VERIFIED'))
})

test('verifying an address marks it verified and consumes the one-time password', async () => {
  const person = await addPerson(service, tenant)
  for (const scope of ['email_verification', 'phone_verification'] as const) {
    const { id } = await person.issue(scope)
    const code = await service.codeOf(id)
    await verify(id, code, scope)
    assert.equal(storedOtp(service, id)['state'], 'consumed')
    await changesNothing(service, () => refused(verify(id, code, scope), 'OTP_ALREADY_CONSUMED'))
    const { user } = await person.signIn()
    assert.deepEqual([user.emailVerified, user.phoneVerified], [true, scope === 'phone_verification'])
  }
})

test('stays consumed, also after its expiry', async () => {
  const person = await addPerson(service, tenant)
  const id = await person.verified('email_verification')
  service.clock.advance(3_600_000)
  await refused(verify(id, '123456', 'email_verification'), 'OTP_ALREADY_CONSUMED')
})

test('does not verify an address that the user no longer has', async () => {
  const person = await addPerson(service, tenant)
  const { id } = await person.issue('email_verification')
  const code = await service.codeOf(id)
  const moved = await (await person.client()).changeEmail({ email: 'moved@example.com' })
  await verify(moved.id, await service.codeOf(moved.id), 'email_verification')
  await changesNothing(service, () => refused(verify(id, code, 'email_verification'), 'OTP_NOT_PENDING'))
  const find = 'SELECT email FROM users WHERE id = ?'
  assert.deepEqual(storedRow(service, find, person.userId), { email: 'moved@example.com' })
})

test('is cancelled when its user is deleted', async () => {
  const person = await addPerson(service, tenant)
  const { id } = await person.issue('reset_password')
  const code = await service.codeOf(id)
  await service.admin.deleteUser({ tenantId: tenant.tenantId, userId: person.userId })
  await changesNothing(service, () => refused(verify(id, code, 'reset_password'), 'OTP_NOT_PENDING'))
})

test('does not find an id with another scope or of another tenant, or an unknown one, and counts no attempt', async () => {
  const person = await addPerson(service, tenant)
  const other = await service.addTenant()
  for (const own of OtpScope.options) {
    const { id } = await person.issue(own)
    const code = await service.codeOf(id)
    await changesNothing(service, async () => {
      for (const scope of OtpScope.options) {
        if (scope !== own) await refused(verify(id, code, scope), 'OTP_NOT_FOUND')
      }
      await refused(other.client.verifyOtp({ id, scope: own, code }), 'OTP_NOT_FOUND')
      await refused(verify(id.toLowerCase(), code, own), 'OTP_NOT_FOUND')
    })
  }
})

test('verifies in the last millisecond; later the id is not found', async () => {
  const [inTime, late] = [await issue(), await issue()]
  const codes = [await service.codeOf(inTime.id), await service.codeOf(late.id)]
  service.clock.set(Date.parse(inTime.expiresAt) - 1)
  await verify(inTime.id, codes[0]!)
  service.clock.advance(1)
  await changesNothing(service, () => refused(verify(late.id, codes[1]!), 'OTP_NOT_FOUND'))
  // A verified one-time password expires too.
  await changesNothing(service, () => refused(verify(inTime.id, codes[0]!), 'OTP_NOT_FOUND'))
})

for (const maxVerifyAttempts of [1, 5, 10]) {
  test(`reports ${maxVerifyAttempts} wrong codes, then does not compare even the right one`, async () => {
    const own = await service.addTenant({ configuration: { otp: { maxVerifyAttempts } } })
    const { id } = await issue(own)
    const code = await service.codeOf(id)
    const guess = (code: string) => own.client.verifyOtp({ id, scope, code })
    for (let wrong = 1; wrong <= maxVerifyAttempts; wrong++) {
      await refused(guess(`${code}0`), 'OTP_INVALID_CODE')
      assert.equal(storedOtp(service, id)['wrong_codes'], wrong)
    }
    await changesNothing(service, () => refused(guess(code), 'OTP_MAX_ATTEMPTS_REACHED'))
    const { state, sealed_code } = storedOtp(service, id)
    assert.deepEqual({ state, sealed_code }, { state: 'locked', sealed_code: null })
  })
}

for (const scope of ['reset_password', 'email_verification'] as const) {
  test(`refuses the right ${scope} code that arrives together with too many wrong ones before it`, async () => {
    const person = await addPerson(service, tenant)
    const { id } = await person.issue(scope)
    const code = await service.codeOf(id)
    const codes = [...Array.from({ length: 64 }, (_, index) => `${index}${code}`), code]
    const headers = [
      ['content-type', 'application/json'],
      ['x-tenant-key', tenant.key],
    ] as const
    const requests = codes.map((code) =>
      bytesOf({ method: 'POST', path: '/otp/verify', headers, body: JSON.stringify({ id, scope, code }) }),
    )
    // On one connection, so that they are handled at once and in this order.
    const { answers } = await exchange(service.baseUrl, Buffer.concat(requests), { until: codes.length })
    const refusals = answers.map(({ text }) => JSON.parse(text).error?.code)
    assert.equal(refusals.at(-1), 'OTP_MAX_ATTEMPTS_REACHED')
    assert.equal(refusals.filter((refusal) => refusal === 'OTP_INVALID_CODE').length, 5)
    assert.equal(storedOtp(service, id)['state'], 'locked')
  })
}

test('accepts only the exact code; any other spelling is a wrong attempt', async () => {
  const own = await service.addTenant({ configuration: { otp: { maxVerifyAttempts: 10 } } })
  const { id } = await issue(own)
  const code = await service.codeOf(id)
  const fullWidth = code.replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit)))
  const spellings = [
    `${code} `,
    ` ${code}`,
    `+${code}`,
    `${code}.0`,
    `${code}\u200b`,
    `0${code}`,
    fullWidth,
    code.slice(1),
  ]
  for (const spelling of spellings) {
    await refused(own.client.verifyOtp({ id, scope, code: spelling }), 'OTP_INVALID_CODE')
  }
  assert.equal(storedOtp(service, id)['wrong_codes'], spellings.length)
  await own.client.verifyOtp({ id, scope, code })
})

test('does not count a code that is not a string', async () => {
  const { id } = await issue()
  const code = await service.codeOf(id)
  const guess = (given: unknown) => verify(id, given as string)
  await changesNothing(service, async () => {
    await invalid(guess(Number(code)), { code: 'Expected string, received number' })
    await invalid(guess([code]), { code: 'Expected string, received array' })
    await invalid(guess({ $ne: null }), { code: 'Expected string, received object' })
    await invalid(guess(null), { code: 'Expected string, received null' })
    await invalid(guess(undefined), { code: 'Required' })
    await invalid(guess(''), { code: 'String must contain at least 1 character(s)' })
    await invalid(guess('1'.repeat(65)), { code: 'String must contain at most 64 character(s)' })
    await invalid(tenant.client.verifyOtp({} as never), { id: 'Required', scope: 'Required', code: 'Required' })
  })
})
