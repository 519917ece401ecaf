import assert from 'node:assert/strict'
import type { OtpScope } from '../../../contract/accounts/otp.ts'
import type { SessionAnswer } from '../../../contract/accounts/session.ts'
import { TenantryError } from '../../../packages/client/src/index.ts'
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts'
import { startTestService, type TestService, type TestServiceOptions, type TestTenant } from '../../support/service.ts'
import type { Random } from '../seeded-random.ts'

/** A session that a person holds. */
export interface HeldSession {
  readonly tenant: TestTenant
  accessToken: string
  refreshToken: string
  hasEnded: boolean
}

/** A one-time password that a person has asked for; it may be sent to another. */
interface AskedCode {
  readonly tenant: TestTenant
  readonly id: string
  readonly scope: OtpScope
}

/** Someone with addresses and an account at a provider that no other person has, and what they have got hold of. */
export interface Person {
  readonly name: string
  readonly emails: readonly string[]
  readonly phones: readonly string[]
  sessions: HeldSession[]
  /** That they have set or tried to set, with the address that they set it for, if known. */
  readonly passwords: { readonly password: string; readonly email: string | undefined }[]
  readonly asked: AskedCode[]
  /** Codes that they entered: tokens of a sign-in or a reset. */
  readonly entered: AskedCode[]
}

/** People who use the same tenants, with a clock that they turn. */
export interface World extends AsyncDisposable {
  readonly service: TestService
  readonly google: IdentityProvider
  readonly tenants: readonly TestTenant[]
  readonly people: readonly Person[]
  readonly random: Random
}

export const authOf = ({ clientId }: IdentityProvider, methods: readonly string[]) => ({
  methods,
  google: { clientIds: [clientId] },
})
export const methods = ['password', 'otp', 'guest', 'google']

export async function openWorld(random: Random, options: TestServiceOptions = {}): Promise<World> {
  await using starting = new AsyncDisposableStack()
  const google = starting.use(await startIdentityProvider('google'))
  const service = starting.use(await startTestService({ identityProviders: google.settings, ...options }))
  google.clock = service.clock
  const tenants: TestTenant[] = []
  for (const enumerationProtection of [false, true]) {
    const security = { enumerationProtection }
    tenants.push(await service.addTenant({ configuration: { auth: authOf(google, methods), security } }))
  }
  const kept = starting.move()
  return {
    ...{ service, google, tenants, random, people: ['ann', 'bob', 'eve'].map(newPerson) },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

const newPerson = (name: string, index: number): Person => ({
  name,
  emails: [1, 2].map((number) => `${name}-${number}@example.com`),
  phones: [1, 2].map((number) => `+3361234${index}00${number}`),
  ...{ sessions: [], passwords: [], asked: [], entered: [] },
})

/** A message in a mailbox or on a phone of the person, with its code. */
interface ReceivedCode {
  readonly otpId: string
  readonly code: string
}

/** What the person has received with a code, oldest first. */
export async function received({ service }: World, { emails, phones }: Person, tenant: TestTenant) {
  await service.service.services.delivery.drain()
  const { messages } = await service.admin.listTestingChannelMessages({ tenantId: tenant.tenantId })
  return messages.flatMap(({ recipient, otpId, code }): ReceivedCode[] =>
    [...emails, ...phones].includes(recipient) && otpId && code ? [{ otpId, code }] : [],
  )
}

export function hold(person: Person, tenant: TestTenant, { accessToken, refreshToken }: SessionAnswer): void {
  person.sessions.push({ tenant, accessToken, refreshToken, hasEnded: false })
}

export const clientOf = ({ tenant, accessToken }: HeldSession) => tenant.client.withSession(accessToken)

/** Anything but a refusal, or 503 when the acts of others on the same account went on for too long, is a defect. */
export function requireRefusal(error: unknown): asserts error is TenantryError {
  if (!(error instanceof TenantryError) || (error.status >= 500 && error.status !== 503)) throw error
}

/** The access token has expired, or the session has ended. */
export async function refresh(session: HeldSession): Promise<void> {
  const { tenant, refreshToken } = session
  try {
    Object.assign(session, await tenant.client.refreshSession({ refreshToken }))
    assert.ok(!session.hasEnded, 'an ended session was refreshed')
  } catch (error) {
    requireRefusal(error)
    session.hasEnded ||= error.code === 'INVALID_REFRESH_TOKEN'
  }
}
