import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { addPerson } from '../support/person.ts'
import { invalid, refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const scope = 'reset_password'
const newPassword = 'battery staple'
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
})
after(() => service.close())

const confirm = (token: string, password = newPassword) =>
  tenant.client.resetPassword({ step: 'confirm', token, password })

test('accepts passwords of 8 to 1024 code points and stores them unchanged', async () => {
  const person = await addPerson(service, tenant)
  const tooShort = 'String must contain at least 8 character(s)'
  const tooLong = 'String must contain at most 1024 character(s)'
  const token = await person.verified(scope)
  await invalid(confirm(token, '🔑🔑🔑🔑'), { password: tooShort })
  await invalid(confirm(token, 'x'.repeat(1025)), { password: tooLong })
  await invalid(confirm(token, '🔑'.repeat(1025)), { password: tooLong })
  await confirm(token, '🔑'.repeat(8))
  const accepted = ['x'.repeat(64), `${'x'.repeat(71)}äöü`, 'x'.repeat(1024), '🔑'.repeat(1024), ' '.repeat(8)]
  for (const password of accepted) {
    await confirm(await person.verified(scope), password)
    await person.signIn(password)
    await refused(person.signIn(Array.from(password).slice(1).join('')), 'INVALID_CREDENTIALS')
  }
  const composed = 'crème brûlée'
  await confirm(await person.verified(scope), composed)
  await person.signIn(composed)
  await refused(person.signIn(composed.normalize('NFD')), 'INVALID_CREDENTIALS')
})

test('rejects common passwords only where the tenant says so', async () => {
  const person = await addPerson(service, tenant)
  await confirm(await person.verified(scope), 'password1')
  const strict = await service.addTenant({ configuration: { security: { passwordBlocklist: true } } })
  const careful = await addPerson(service, strict)
  const token = await careful.verified(scope)
  const reset = (password: string) => strict.client.resetPassword({ step: 'confirm', token, password })
  await changesNothing(service, () => invalid(reset('password1'), { password: 'Validation rule not met' }))
  assert.deepEqual(await reset(newPassword), { success: true })
})

test("reports each missing field of a confirm with the contract's message", async () => {
  const person = await addPerson(service, tenant)
  const token = await person.verified(scope)
  const reset = (body: object) => tenant.client.resetPassword({ step: 'confirm', ...body } as never)
  await changesNothing(service, async () => {
    await invalid(reset({}), { token: 'Required', password: 'Required' })
    await invalid(reset({ email: person.email }), { token: 'Required', password: 'Required' })
    await invalid(reset({ token: '', password: newPassword }), { token: 'String must contain at least 1 character(s)' })
    await invalid(reset({ token: [token], password: [newPassword] }), {
      token: 'Expected string, received array',
      password: 'Expected string, received array',
    })
    await invalid(reset({ token, password: 'nul \0 inside' }), { password: 'Invalid string' })
    await invalid(reset({ token, password: 'half \ud83d a key' }), { password: 'Invalid string' })
  })
  assert.deepEqual(await reset({ token, password: newPassword, email: 'ignored' }), { success: true })
})

test('200 confirms with random tokens cost no hash', async () => {
  const { hasher } = service.service.services
  const before = [hasher.hashes, hasher.verifies]
  await changesNothing(service, async () => {
    const tokens = Array.from({ length: 200 }, (_, index) => `01KF0RDQG0ZZZZZZZZZZZZZ${100 + index}`)
    await Promise.all(tokens.map((token) => refused(confirm(token), 'OTP_NOT_FOUND')))
  })
  assert.deepEqual([hasher.hashes, hasher.verifies], before)
})
