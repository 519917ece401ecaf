import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { PasswordHasher } from '../server/passwords/password-hasher.ts'
import { addPerson } from './person.ts'
import { refused } from './refused.ts'
import { cheapHasher, startTestService, type TestService, type TestTenant } from './service.ts'
import { storedRows } from './stored-rows.ts'

const cheap = cheapHasher()
let afterVerify = () => Promise.resolve()
/** A hasher that stops, when a test says so, between comparing a password and saying what came of it. */
const hasher: PasswordHasher = Object.assign(Object.create(cheap), {
  async verify(phc: string, password: string) {
    const matches = await cheap.verify(phc, password)
    await afterVerify()
    return matches
  },
})
let service: TestService
let tenant: TestTenant

before(async () => {
  service = await startTestService({ hasher })
  tenant = await service.addTenant()
})
after(() => service.close())

const liveSessions = (userId: string) =>
  storedRows(service, 'SELECT * FROM sessions WHERE user_id = ? AND revoked_at IS NULL', userId)
const confirm = (token: string, password = 'battery staple') =>
  tenant.client.resetPassword({ step: 'confirm', token, password })

test('a sign-in whose password was right, but is changed before its session is stored, is refused', async () => {
  const person = await addPerson(service, tenant)
  const token = await person.verified('reset_password')
  const compared = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  afterVerify = () => {
    compared.resolve()
    return goOn.promise
  }
  const signingIn = refused(person.signIn(), 'INVALID_CREDENTIALS')
  await compared.promise
  assert.deepEqual(await confirm(token), { success: true })
  afterVerify = () => Promise.resolve()
  goOn.resolve()
  await signingIn
  assert.deepEqual(liveSessions(person.userId), [])
})

test('no session made with the old password survives a confirm, in 20 rounds of 8 sign-ins at once', async () => {
  for (let round = 0; round < 20; round++) {
    const person = await addPerson(service, tenant)
    const token = await person.verified('reset_password')
    const signIns = Array.from({ length: 8 }, () => person.signIn().catch(() => null))
    const [confirmed, ...signedIn] = await Promise.all([confirm(token), ...signIns])
    assert.deepEqual(confirmed, { success: true })
    assert.deepEqual(liveSessions(person.userId), [])
    for (const answer of signedIn) {
      if (answer === null) continue
      await refused(tenant.client.withSession(answer.accessToken).getProfile(), 'INVALID_USER_TOKEN')
    }
    await person.signIn('battery staple')
  }
})
