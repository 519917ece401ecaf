import type { OperationName } from '../../../contract/operations.ts'
import { schemaOfEveryKind } from '../../hostile-input/target.ts'
import type { Random } from '../seeded-random.ts'
import { type FuzzFixture, firstPassword } from './fuzz-fixture.ts'
import { anyText } from './fuzz-values.ts'

const scopes = ['reset_password', 'reset_password', 'otp_signin', 'email_verification', 'phone_verification']
const passwords = [firstPassword, firstPassword, 'another password', 'short', '💥'.repeat(8)]
const phones = ['+33612345678', '+14155550100', '+81312345678']

const otpOf = (random: Random, fixture: FuzzFixture) => {
  const id = fixture.recall('otp', random)
  const guess = { scope: random.pick(scopes), code: String(random.below(1_000_000)).padStart(6, '0') }
  const known = fixture.deliveredFor(id)
  return { id, ...(random.next() < 0.8 ? (known ?? guess) : guess) }
}

const profile = (random: Random): Record<string, unknown> => {
  const values: Record<string, unknown[]> = {
    nickname: ['ada', 'x', null],
    title: ['Dr.', '', '<b>'],
    bio: ['two\nlines', 'x'.repeat(20_000)],
    workEmail: ['ada@example.com', 'x'],
    homePhone: ['+33612345678', '0'],
    website: ['https://example.com', 'file:///'],
    height: [1.8, -1, 1e15],
    children: [2, 0.5],
    newsletter: [true, false, null],
    birthDate: ['2000-02-29', '2001-02-29'],
    nextVisit: ['2030-01-01T09:00:00+01:00', 'soon'],
    callMeAt: ['09:30', '25:00'],
    country: ['fr', 'xx'],
    interests: [['music'], ['music', 'music']],
    tags: [['a', 'b'], [], ['']],
    fullName: ['Ada', null],
    level: ['gold'],
    unknown: [{ deep: [1] }],
  }
  const chosen = random.shuffled(Object.keys(values)).slice(0, random.below(6))
  return Object.fromEntries(chosen.map((name) => [name, random.pick(values[name]!)]))
}

const modules = (random: Random): Record<string, unknown> => {
  const all: Record<string, unknown[]> = {
    auth: [{ methods: ['password', 'otp'] }, { methods: [] }, null],
    otp: [{ length: 6 }, { length: 4, ttlSeconds: 60, resendIntervalSeconds: 0, maxResends: 20 }, { length: 99 }, null],
    upload: [{ allowedTypes: ['image/*'], maxSize: 1 }, null],
    security: [{ enumerationProtection: true, passwordBlocklist: true }, { allowedOrigins: ['https://app.example'] }],
    delivery: [{ defaultLocale: 'fr' }],
    theme: [{ colour: 'red', sizes: [1, 2.5, 1e300] }, 'text', 7],
    Auth: [{}],
    meta: [{}],
  }
  const chosen = random.shuffled(Object.keys(all)).slice(0, 1 + random.below(3))
  return Object.fromEntries(chosen.map((name) => [name, random.pick(all[name]!)]))
}

const schema = (random: Random): Record<string, unknown> => {
  const components = random.shuffled(schemaOfEveryKind.components).slice(0, random.below(8))
  const odd = {
    name: anyText(random),
    type: random.pick(['text', 'country', 'number', 'x']),
    rules: { pattern: anyText(random) },
  }
  return {
    ...(random.next() < 0.5 && { version: random.pick(['v1', 'v2', '2026-01', anyText(random)]) }),
    components: random.next() < 0.3 ? [...components, odd] : components,
    ...(random.next() < 0.3 && { presentation: [{ section: 'a', fields: components.map(({ name }) => name) }] }),
    ...(random.next() < 0.3 && {
      forms: { signUp: { fields: components.map(({ name }) => name), required: [components[0]?.name ?? 'x'] } },
    }),
    ...(random.next() < 0.2 && { migrations: [{ drop: 'nickname' }, { rename: { from: 'title', to: 'bio' } }] }),
  }
}

const capabilities = (random: Random) =>
  random.shuffled(['sign_in', 'profile_update', 'upload', 'otp']).slice(0, random.below(3))

/** A proof of identity: the id of a one-time password, or an ID token. */
const proof = (random: Random, fixture: FuzzFixture) =>
  random.pick([
    { method: 'otp', token: fixture.recall('otp', random) },
    { method: random.pick(['google', 'google', 'apple']), idToken: fixture.recall('idToken', random) },
    { method: 'google', idToken: fixture.recall('idToken', random), nonce: anyText(random) },
  ])

const ending = (random: Random) => ({
  ...(random.next() < 0.5 && { reason: anyText(random) }),
  ...(random.next() < 0.7 && {
    until: random.pick([null, '2026-01-15T12:05:00.000Z', '2030-01-01T00:00:00Z', 'soon']),
  }),
})

/** Bodies as clients send them, mostly valid, for every operation that takes one. */
export const bodies: Partial<Record<OperationName, (random: Random, fixture: FuzzFixture) => unknown>> = {
  issueOtp: (random, fixture) => ({
    scope: random.pick(scopes.slice(2)),
    ...(random.next() < 0.7 ? { email: fixture.recall('email', random) } : { phone: random.pick(phones) }),
    ...(random.next() < 0.3 && { locale: random.pick(['fr', 'en-GB', 'xx', 'no locale']) }),
  }),
  verifyOtp: otpOf,
  resendOtp: otpOf,
  getOtpStatus: otpOf,
  resetPassword: (random, fixture) =>
    random.next() < 0.5
      ? { step: 'challenge', email: fixture.recall('email', random) }
      : {
          step: 'confirm',
          token: fixture.recall('otp', random),
          password: random.pick(passwords),
        },
  signUp: (random, fixture) => ({
    method: 'password',
    email: random.next() < 0.5 ? fixture.recall('email', random) : `new-${random.below(1e6)}@example.com`,
    password: random.pick(passwords),
    ...(random.next() < 0.5 && { profile: profile(random) }),
    ...(random.next() < 0.2 && { token: fixture.recall('otp', random) }),
  }),
  signIn: (random, fixture) => {
    const password = { email: fixture.recall('email', random), password: random.pick(passwords) }
    return random.pick([{ method: 'password', ...password }, { method: 'guest' }, proof(random, fixture)])
  },
  stepUp: (random, fixture) =>
    random.pick([{ method: 'password', password: random.pick(passwords) }, proof(random, fixture)]),
  recoverAccount: (random, fixture) => ({
    id: fixture.recall('otp', random),
    code: random.pick(['12345678', '', anyText(random)]),
  }),
  refreshSession: (random, fixture) => ({ refreshToken: fixture.recall('refreshToken', random) }),
  signOut: (random) => ({ scope: random.pick(['this', 'others', 'all']) }),
  changePassword: (random) => ({
    ...(random.next() < 0.6 && { currentPassword: random.pick(passwords) }),
    password: random.pick(passwords),
  }),
  changeEmail: (random, fixture) => ({
    email: random.next() < 0.3 ? fixture.recall('email', random) : `changed-${random.below(1e6)}@example.com`,
  }),
  changePhone: (random) => ({ phone: random.pick(phones) }),
  addIdentity: (random, fixture) => {
    const password = {
      password: random.pick(passwords),
      ...(random.next() < 0.5 && { email: fixture.recall('email', random) }),
    }
    return random.pick([{ method: 'password', ...password }, proof(random, fixture)])
  },
  updateProfile: profile,
  checkProfile: profile,
  checkSignUp: (random) => ({ profile: profile(random) }),
  createTenant: (random) => ({
    name: random.pick(['Acme', anyText(random)]),
    restrictedCapabilities: capabilities(random),
  }),
  updateTenant: (random) => ({
    name: 'Acme',
    suspended: random.next() < 0.2,
    restrictedCapabilities: capabilities(random),
  }),
  replaceConfiguration: modules,
  updateConfiguration: modules,
  publishProfileSchema: schema,
  checkProfileSchema: schema,
  createTenantKey: (random) => ({
    name: 'app',
    kind: random.pick(['publishable', 'secret', 'x']),
    ...(random.next() < 0.3 && { expiresAt: random.pick(['2030-01-01T00:00:00Z', '2020-01-01T00:00:00Z', 'x']) }),
  }),
  rotateTenantKey: (random) => ({ overlapSeconds: random.pick([0, 60, -1, 1e9]) }),
  createUser: (random) => ({
    email: `made-${random.below(1e6)}@example.com`,
    ...(random.next() < 0.5 && { phone: random.pick(phones) }),
    ...(random.next() < 0.3 && { emailVerified: true, phoneVerified: random.next() < 0.5 }),
    password: random.pick(passwords),
    profile: profile(random),
  }),
  // One line, or bytes that split it into several.
  importUsers: (random, fixture) => ({
    ...(random.next() < 0.3 && { id: fixture.recall('user', random) }),
    email: random.next() < 0.3 ? fixture.recall('email', random) : `moved-${random.below(1e6)}@example.com`,
    emailVerified: random.next() < 0.5,
    passwordHash: random.pick([null, '$2b$10$N9qo8uLOickgx2ZMRZoMyeIjZAgcfl7p92ldGxad68LJZdL17lhWy', anyText(random)]),
    ...(random.next() < 0.4 && { identities: [{ provider: 'google', subject: `subject-${random.below(6)}` }] }),
    profile: profile(random),
    suspension: random.next() < 0.8 ? null : ending(random),
  }),
  previewMessage: (random) => ({
    kind: random.pick(['otp_signin', 'password_changed', 'x']),
    method: random.pick(['email', 'sms']),
  }),
  sendTestMessage: (random, fixture) =>
    random.pick([
      { method: 'email', to: fixture.recall('email', random) },
      { method: 'sms', to: random.pick(phones) },
    ]),
  updateUser: (random) =>
    random.pick([
      { restrictedCapabilities: capabilities(random) },
      { restrictions: capabilities(random).map((capability) => ({ capability, ...ending(random) })) },
      { suspension: random.next() < 0.6 ? null : ending(random) },
    ]),
  updateUserProfile: profile,
}
