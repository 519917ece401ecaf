import assert from 'node:assert/strict'
import { hash, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import type { SessionAnswer } from '../../contract/accounts/sign-in.ts'
import type { User } from '../../contract/accounts/user.ts'
import type { InputOf } from '../../packages/client/src/index.ts'
import { request } from '../support/http/raw-request.ts'
import type { IdentityProvider } from '../support/identity-provider.ts'
import type { TestService, TestTenant } from '../support/service.ts'
import { type ServiceWithProviders, startServiceWithProviders } from '../support/service-with-providers.ts'
import {
  claimsOf,
  enteredCode,
  isOver,
  newEmail,
  newPhone,
  sessionIdOf,
  userWithoutMethods,
} from '../support/sign-in-methods.ts'

type Proof = InputOf<'signIn'>

let google: IdentityProvider
let apple: IdentityProvider
let facebook: IdentityProvider
let service: TestService
let tenant: TestTenant
let started: ServiceWithProviders

before(async () => {
  started = await startServiceWithProviders()
  ;({ service, tenant, google, apple, facebook } = started)
  await service.admin.publishProfileSchema(tenant, { components: [{ name: 'nick', type: 'text' }] })
})
after(() => started.close())

/** How one person signs in. */
interface Story {
  /** The user in the answers, without id and time. */
  readonly user: Omit<User, 'id' | 'createdAt'>
  readonly amr: readonly string[]
  /** Creates the proof of another sign-in of the same person; null where there is none. */
  readonly prove: (() => Promise<Proof>) | null
  readonly enter?: () => Promise<SessionAnswer>
}

const stories: Record<string, () => Story> = {
  password() {
    const account = { method: 'password', email: newEmail(), password: 'correct horse' } as const
    const user = { ...userWithoutMethods, methods: ['password' as const], email: account.email }
    return { user, amr: ['pwd'], prove: async () => account, enter: () => tenant.client.signUp(account) }
  },
  'a code by e-mail'() {
    const email = newEmail()
    const prove = async () => ({ method: 'otp' as const, token: await enteredCode(service, tenant, { email }) })
    return { user: { ...userWithoutMethods, methods: ['otp'], email, emailVerified: true }, amr: ['otp'], prove }
  },
  'a code by SMS'() {
    const phone = newPhone()
    const prove = async () => ({ method: 'otp' as const, token: await enteredCode(service, tenant, { phone }) })
    return { user: { ...userWithoutMethods, methods: ['otp'], phone, phoneVerified: true }, amr: ['otp', 'sms'], prove }
  },
  guest() {
    const enter = () => tenant.client.signIn({ method: 'guest' })
    return { user: { ...userWithoutMethods, guest: true, methods: ['guest'] }, amr: [], prove: null, enter }
  },
  google() {
    const [sub, email, nonce] = [randomUUID(), newEmail(), randomUUID()]
    const prove = async () => ({
      method: 'google' as const,
      idToken: await google.sign({ sub, email: email.toUpperCase(), nonce: hash('sha256', nonce, 'hex') }),
      nonce,
    })
    return {
      user: { ...userWithoutMethods, methods: ['otp', 'google'], email, emailVerified: true },
      amr: ['google'],
      prove,
    }
  },
  apple() {
    const [sub, email] = [randomUUID(), newEmail()]
    const prove = async () => ({ method: 'apple' as const, idToken: await apple.sign({ sub, email }) })
    return {
      user: { ...userWithoutMethods, methods: ['otp', 'apple'], email, emailVerified: true },
      amr: ['apple'],
      prove,
    }
  },
  facebook() {
    const [sub, email] = [randomUUID(), newEmail()]
    const prove = async () => ({ method: 'facebook' as const, idToken: await facebook.sign({ sub, email }) })
    return { user: { ...userWithoutMethods, methods: ['facebook'] }, amr: ['facebook'], prove }
  },
}

/** Asserts that the answer is complete and that its token agrees. */
function says(session: SessionAnswer, { user, amr }: Story, isNewUser: boolean): void {
  const { accessToken, refreshToken } = session
  const { id, createdAt } = session.user
  assert.deepEqual(session, {
    accessToken,
    tokenType: 'Bearer',
    expiresIn: 900,
    refreshToken,
    user: { ...user, id, createdAt },
    isNewUser,
  })
  const { sub, aud, guest, sid, amr: said } = claimsOf(session)
  assert.deepEqual({ sub, aud, guest, said }, { sub: id, aud: tenant.tenantId, guest: user.guest, said: [...amr] })
  assert.ok(refreshToken.startsWith(`rt_${sid}_`))
}

for (const [method, begin] of Object.entries(stories)) {
  test(`by ${method}: a new user, a profile, a refresh, another sign-in, a sign-out`, async () => {
    const story = begin()
    const signIn = async () => tenant.client.signIn(await story.prove!())
    const first = await (story.enter ?? signIn)()
    says(first, story, true)
    const { id, createdAt } = first.user
    const lastActiveAt = async () => (await service.admin.getUser({ ...tenant, userId: id })).lastActiveAt
    const now = () => new Date(service.clock.now()).toISOString()
    assert.deepEqual([createdAt, await lastActiveAt()], [now(), now()])
    const client = tenant.client.withSession(first.accessToken)
    await client.updateProfile({ nick: method })

    service.clock.advance(60_000)
    const refreshed = await tenant.client.refreshSession({ refreshToken: first.refreshToken })
    says(refreshed, story, false)
    assert.notEqual(refreshed.refreshToken, first.refreshToken)
    assert.equal(sessionIdOf(refreshed), sessionIdOf(first))
    assert.deepEqual([refreshed.user, await lastActiveAt()], [first.user, now()])

    let last = refreshed
    if (story.prove !== null) {
      service.clock.advance(60_000)
      last = await signIn()
      assert.equal(await lastActiveAt(), now())
      says(last, story, false)
      assert.equal(last.user.id, id)
      assert.notEqual(sessionIdOf(last), sessionIdOf(first))
    }
    const back = tenant.client.withSession(last.accessToken)
    assert.equal((await back.getProfile())['nick'], method)
    const { identities, ...account } = await back.getAccount()
    assert.deepEqual(account, last.user)
    assert.deepEqual(
      identities.map((identity) => identity.method),
      story.user.guest ? [] : story.user.methods,
    )

    assert.deepEqual(await back.signOut({ scope: 'all' }), { success: true })
    for (const session of new Set([refreshed, last])) await isOver(tenant, session)
  })
}

test('answers with tokens forbid caching and set no cookie', async () => {
  const { client: _client, ...keys } = tenant
  const guest = await request(service, 'POST /auth/sign-in', { ...keys, body: { method: 'guest' } })
  const body = { refreshToken: guest.body.data.refreshToken }
  for (const { status, headers } of [guest, await request(service, 'POST /auth/refresh', { ...keys, body })]) {
    assert.deepEqual([status, headers.get('cache-control'), headers.get('set-cookie')], [201, 'no-store', null])
  }
})
