import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { SessionAnswer } from '../../contract/accounts/session.ts'
import type { ProfileForm, ProfileSchemaInput } from '../../contract/profile-schema.ts'
import { storedRow } from '../support/databases/stored-rows.ts'
import { type IdentityProvider, startIdentityProvider } from '../support/identity-provider.ts'
import { addPerson } from '../support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const dayMs = 86_400_000
const password = 'correct horse'
let google: IdentityProvider
let service: TestService
const statements: string[] = []

before(async () => {
  google = await startIdentityProvider('google')
  service = await startTestService({
    identityProviders: google.settings,
    hooks: { onStatement: (name) => void statements.push(name) },
  })
  google.clock = service.clock
})
after(() => Promise.all([service.close(), google.close()]))

/** A tenant whose form `onboarding` requires `nick`. */
async function addTenant(form: ProfileForm = { prompt: 'signIn' }): Promise<TestTenant> {
  const auth = { methods: ['password', 'otp', 'guest', 'google'], google: { clientIds: [google.clientId] } }
  const tenant = await service.addTenant({ configuration: { auth } })
  await publish(tenant, form)
  return tenant
}

function publish(tenant: TestTenant, form: ProfileForm, version?: string) {
  const schema: ProfileSchemaInput = {
    components: [{ name: 'nick', type: 'text' }],
    forms: { onboarding: { steps: [{ step: 'who', fields: ['nick'], required: ['nick'] }], ...form } },
    ...(version && { version }),
  }
  return service.admin.publishProfileSchema(tenant, schema)
}

const named = ({ nextForm }: { nextForm?: string | null | undefined }) => nextForm
const nextFormIn = async ({ client }: TestTenant, { accessToken }: SessionAnswer) =>
  named(await client.withSession(accessToken).getAccount())

test('names the form in the answers of sign-up, every method of sign-in, refresh and the account', async () => {
  const tenant = await addTenant()
  const { client } = tenant
  const email = 'new@example.com'
  const sessions: Record<string, SessionAnswer> = {
    signUp: await client.signUp({ method: 'password', email, password }),
    password: await client.signIn({ method: 'password', email, password }),
    guest: await client.signIn({ method: 'guest' }),
    google: await client.signIn({ method: 'google', idToken: await google.sign({ email: 'ada@gmail.com' }) }),
  }
  const { id } = await client.issueOtp({ scope: 'otp_signin', email })
  await client.verifyOtp({ id, scope: 'otp_signin', code: await service.codeOf(id) })
  sessions['otp'] = await client.signIn({ method: 'otp', token: id })
  const { refreshToken } = sessions['otp']
  sessions['refresh'] = await client.refreshSession({ refreshToken })
  sessions['refresh again'] = await client.refreshSession({ refreshToken })
  const { session } = await client
    .withSession(sessions['guest']!.accessToken)
    .addIdentity({ method: 'password', password, email: 'guest@example.com' })
  for (const [method, answer] of Object.entries({ ...sessions, session: session! })) {
    assert.equal(named(answer), 'onboarding', method)
  }
  for (const answer of [sessions['google']!, sessions['refresh'], session!]) {
    assert.equal(await nextFormIn(tenant, answer), 'onboarding')
  }
})

test('names it in the session that a verified address of a guest gives', async () => {
  const { client } = await addTenant()
  const { accessToken } = await client.signIn({ method: 'guest' })
  const guest = client.withSession(accessToken)
  const { id } = await guest.changeEmail({ email: 'guest@example.com' })
  const { session } = await guest.verifyOtp({ id, scope: 'email_verification', code: await service.codeOf(id) })
  assert.equal(named(session!), 'onboarding')
})

test('answers null once the form is complete, and the form again when a version reopens it', async () => {
  const tenant = await addTenant()
  const { client } = tenant
  const profile = { nick: 'ada' }
  const done = await client.signUp({ method: 'password', email: 'a@example.com', password, profile })
  assert.equal(named(done), null)
  const person = await addPerson(service, tenant)
  const session = await person.signIn()
  assert.equal(named(session), 'onboarding')
  await client.withSession(session.accessToken).updateProfile(profile)
  assert.equal(await nextFormIn(tenant, session), null)
  const refreshed = await client.refreshSession({ refreshToken: session.refreshToken })
  assert.deepEqual([named(refreshed), await nextFormIn(tenant, refreshed)], [null, null])
  assert.equal(named(await person.signIn()), null)

  await publish(tenant, { prompt: 'signIn', steps: [{ step: 'mail', verify: 'email' }] }, 'with-email')
  assert.equal(await nextFormIn(tenant, refreshed), 'onboarding')
  await person.verified('email_verification')
  assert.equal(await nextFormIn(tenant, refreshed), null)
})

test('with promptAgainDays, names it once in that time, and throughout the session of that sign-in', async () => {
  const tenant = await addTenant({ prompt: 'signIn', promptAgainDays: 7 })
  const { client } = tenant
  const person = await addPerson(service, tenant)
  const first = await person.signIn()
  const promptedAt = service.clock.now()
  service.clock.advance(1)
  const second = await person.signIn()
  assert.deepEqual([named(first), named(second)], ['onboarding', null])
  assert.deepEqual([await nextFormIn(tenant, first), await nextFormIn(tenant, second)], ['onboarding', null])
  assert.equal(named(await client.refreshSession({ refreshToken: first.refreshToken })), 'onboarding')
  assert.equal(named(await client.refreshSession({ refreshToken: second.refreshToken })), null)
  const stored = () =>
    Number(storedRow(service, 'SELECT form_prompted_at AS at FROM users WHERE id = ?', person.userId)['at'])
  assert.equal(stored(), promptedAt)
  const { user } = await client.withSession((await person.signIn()).accessToken).exportAccount()
  assert.equal(user.formPromptedAt, new Date(promptedAt).toISOString())

  service.clock.advance(7 * dayMs - 2)
  assert.equal(named(await person.signIn()), null)
  service.clock.advance(1)
  const third = await person.signIn()
  assert.equal(named(third), 'onboarding')
  assert.equal(stored(), service.clock.now())
  service.clock.advance(1)
  assert.equal(named(await person.signIn()), null)
  assert.equal(await nextFormIn(tenant, third), 'onboarding')
  await client.withSession(third.accessToken).updateProfile({ nick: 'ada' })
  assert.equal(await nextFormIn(tenant, third), null)
})

test('with promptAgainDays, does not record a sign-in of a user whose form is complete', async () => {
  const { client } = await addTenant({ prompt: 'signIn', promptAgainDays: 7 })
  const profile = { nick: 'ada' }
  const { user, nextForm } = await client.signUp({ method: 'password', email: 'a@example.com', password, profile })
  assert.equal(nextForm, null)
  const row = storedRow(service, 'SELECT form_prompted_at AS at FROM users WHERE id = ?', user.id)
  assert.equal(row['at'], null)
})

test('of sign-ins at once, one names the form', async () => {
  const tenant = await addTenant({ prompt: 'signIn', promptAgainDays: 1 })
  const person = await addPerson(service, tenant)
  const sessions = await Promise.all(Array.from({ length: 8 }, () => person.signIn()))
  assert.equal(sessions.filter(({ nextForm }) => nextForm === 'onboarding').length, 1)
})

test('without a form that has prompt, executes no further statement and answers no further member', async () => {
  const countsOf = async (form: ProfileForm) => {
    const tenant = await addTenant(form)
    const person = await addPerson(service, tenant)
    await person.signIn()
    const counted: Record<string, string[]> = {}
    const count = async <T>(name: string, act: () => Promise<T>): Promise<T> => {
      await service.service.services.delivery.drain()
      statements.length = 0
      const answer = await act()
      counted[name] = statements.filter((statement) => /^(profile|formPrompt|tenant)\./.test(statement))
      return answer
    }
    const session = await count('signIn', () => person.signIn())
    const refreshed = await count('refresh', () => tenant.client.refreshSession(session))
    const client = tenant.client.withSession(refreshed.accessToken)
    const account = await count('account', () => client.getAccount())
    return { counted, answers: [session, refreshed, account].map((answer) => Object.hasOwn(answer, 'nextForm')) }
  }
  assert.deepEqual(await countsOf({}), {
    counted: { signIn: [], refresh: [], account: [] },
    answers: [false, false, false],
  })
  assert.deepEqual(await countsOf({ prompt: 'signIn' }), {
    counted: { signIn: ['profile.find'], refresh: ['profile.find'], account: ['profile.find'] },
    answers: [true, true, true],
  })
  const [find, latest] = ['profile.find', 'formPrompt.latest']
  assert.deepEqual((await countsOf({ prompt: 'signIn', promptAgainDays: 1 })).counted, {
    signIn: [find, 'formPrompt.record'],
    refresh: [find, latest],
    account: [find, latest],
  })
})
