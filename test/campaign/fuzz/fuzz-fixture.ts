import { schemaOfEveryKind } from '../../hostile-input/target.ts'
import type { IdentityProvider } from '../../support/identity-provider.ts'
import { startTestService, type TestService, testAdminKey } from '../../support/service.ts'
import type { Random } from '../seeded-random.ts'

/** Kinds of values that answers return and requests take. */
type Learned =
  | 'otp'
  | 'accessToken'
  | 'refreshToken'
  | 'idToken'
  | 'session'
  | 'identity'
  | 'message'
  | 'tenant'
  | 'user'
  | 'key'
  | 'cursor'
  | 'etag'
  | 'email'

/** A service to fuzz: one sound tenant, others that the fuzzer may break, and the values learned so far. */
export interface FuzzFixture extends AsyncDisposable {
  readonly service: TestService
  /** The sound tenant. Its configuration never changes, so it must never answer 5xx. */
  readonly tenantId: string
  readonly keys: readonly string[]
  /** A tenant that the fuzzer may configure at random. */
  readonly ruinedKey: string
  readonly ruinedTenantId: string
  readonly adminKey: string
  learn(kind: Learned, ...values: string[]): void
  /** A learned value of a kind, more often a recent one; an unknown value when none was learned. */
  recall(kind: Learned, random: Random): string
  /** The code delivered for an OTP, if known. */
  deliveredFor(otpId: string): Delivered | undefined
  learnDelivered(otpId: string, delivered: Delivered): void
  /** Signs up a new user of the sound tenant and another one through Google, because tokens expire and users are deleted. */
  refill(): Promise<void>
}

/** An OTP as the testing channel reports it. */
interface Delivered {
  readonly scope: string
  readonly code: string
}

/** Enough to reuse, few enough that most are still valid. */
const remembered = 24
/** The password of every account that was not reset. */
export const firstPassword = 'correct horse battery'
/** The addresses requests use: two have an account at startup. */
const addresses = [
  'ada@example.com',
  'bob@example.com',
  'new-1@example.com',
  'new-2@example.com',
  'unknown@example.com',
]

/**
 * @param limited with the limits and budgets of production, behind a proxy; otherwise without any
 * @param google the identity provider of some users
 */
export async function openFuzzFixture(limited: boolean, google: IdentityProvider): Promise<FuzzFixture> {
  const service = await startTestService({
    identityProviders: google.settings,
    limitsText: limited ? '' : 'all=off',
    trustedProxies: '127.0.0.1',
    timeouts: { headersMs: 2_000, requestMs: 3_000, checkIntervalMs: 250 },
  })
  const security = { allowedOrigins: ['https://app.example'] }
  const upload = { allowedTypes: ['image/png'], maxSize: 1_000_000 }
  const methods = ['password', 'otp', 'guest', 'google']
  const auth = { methods, google: { clientIds: [google.clientId] }, guest: { idleDays: 1 } }
  const sound = await service.addTenant({ configuration: { auth, security, upload, theme: { colour: 'blue' } } })
  const ruined = await service.addTenant()
  await service.admin.publishProfileSchema(sound, schemaOfEveryKind)
  const learned = new Map<Learned, string[]>()
  const delivered = new Map<string, Delivered>()
  let people = 0

  /** An ID token of one of a few accounts, some with an address that requests use. */
  function newIdToken(): Promise<string> {
    const iat = Math.floor(service.clock.now() / 1000)
    const email = addresses[people % addresses.length]
    return google.sign({
      sub: `subject-${people % 4}`,
      email,
      email_verified: people % 3 > 0,
      iat,
      nbf: iat,
      exp: iat + 3600,
    })
  }

  const fixture: FuzzFixture = {
    service,
    tenantId: sound.tenantId,
    keys: [sound.key, sound.secretKey],
    ruinedKey: ruined.key,
    ruinedTenantId: ruined.tenantId,
    adminKey: testAdminKey,
    learn(kind, ...values) {
      const known = learned.get(kind) ?? []
      learned.set(kind, [...known, ...values].slice(-remembered))
    },
    recall(kind, random) {
      const known = learned.get(kind) ?? []
      const latest = known.slice(random.next() < 0.5 ? -4 : 0)
      return latest.length === 0 ? 'unknown' : random.pick(latest)
    },
    deliveredFor: (otpId) => delivered.get(otpId),
    learnDelivered: (otpId, what) => void delivered.set(otpId, what),
    async refill() {
      const email = addresses[people < 2 ? people : -1] ?? `person-${people}@example.com`
      people++
      // From a separate address, which no limit has counted yet.
      const headers = { 'x-forwarded-for': `10.1.${people >> 8}.${people & 255}` }
      const body = { method: 'password', email, password: firstPassword, profile: { fullName: 'Ada' } } as const
      const { accessToken, refreshToken, user } = await sound.client.signUp(body, { headers })
      fixture.learn('accessToken', accessToken)
      fixture.learn('refreshToken', refreshToken)
      fixture.learn('user', user.id)
      fixture.learn('email', email)
      fixture.learn('idToken', await newIdToken())
    },
    [Symbol.asyncDispose]: () => service.close(),
  }

  fixture.learn('email', ...addresses)
  fixture.learn('tenant', ruined.tenantId)
  for (let count = 0; count < 2; count++) await fixture.refill()
  return fixture
}
