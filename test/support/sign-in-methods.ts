import assert from 'node:assert/strict'
import { decodeJwt, type JWTPayload } from 'jose'
import type { SessionAnswer } from '../../contract/accounts/sign-in.ts'
import type { User } from '../../contract/accounts/user.ts'
import { AuthMethod, type SocialProvider } from '../../contract/tenants/tenant-configuration.ts'
import { storedRows } from './databases/stored-rows.ts'
import type { IdentityProvider } from './identity-provider.ts'
import { refused } from './refused.ts'
import type { TestService, TestTenant } from './service.ts'

/** The recipient of a one-time password. */
export type Recipient = { readonly email: string } | { readonly phone: string }

let addresses = 0
/** An address without a user. */
export const newEmail = (): string => `user-${++addresses}@example.com`
export const newPhone = (): string => `+336234${String(++addresses).padStart(5, '0')}`

/** The id of a verified sign-in code: the token of `method: 'otp'`. */
export async function enteredCode(service: TestService, { client }: TestTenant, to: Recipient): Promise<string> {
  const { id } = await client.issueOtp({ scope: 'otp_signin', ...to })
  await client.verifyOtp({ id, scope: 'otp_signin', code: await service.codeOf(id) })
  return id
}

/** Signs in with a code. */
export async function signInByCode(service: TestService, tenant: TestTenant, to: Recipient): Promise<SessionAnswer> {
  return tenant.client.signIn({ method: 'otp', token: await enteredCode(service, tenant, to) })
}

/** A tenant that enables every method, registered at these providers. */
export function addOpenTenant(
  service: TestService,
  providers: Partial<Record<SocialProvider, IdentityProvider>> = {},
): Promise<TestTenant> {
  const registrations = Object.entries(providers).map(([name, { clientId }]) => [name, { clientIds: [clientId] }])
  const auth = { methods: AuthMethod.options, ...Object.fromEntries(registrations) }
  return service.addTenant({ configuration: { auth } })
}

/** The claims of an access token. */
export const claimsOf = ({ accessToken }: Pick<SessionAnswer, 'accessToken'>): JWTPayload => decodeJwt(accessToken)

/** The id of a session. */
export const sessionIdOf = (session: SessionAnswer): string => String(claimsOf(session)['sid'])

/** Ids of the tenant's users, oldest first. */
export const userIdsOf = (service: TestService, { tenantId }: TestTenant): string[] =>
  storedRows(service, 'SELECT id FROM users WHERE tenant_id = ? ORDER BY id', tenantId).map(({ id }) => String(id))

/** Asserts that the session has ended. */
export async function isOver({ client }: TestTenant, { accessToken, refreshToken }: SessionAnswer): Promise<void> {
  await refused(client.withSession(accessToken).getAccount(), 'INVALID_USER_TOKEN')
  await refused(client.refreshSession({ refreshToken }), 'INVALID_REFRESH_TOKEN')
}

/** Asserts that both tokens of the session work, and returns its successor. */
export async function isOpen({ client }: TestTenant, session: SessionAnswer): Promise<SessionAnswer> {
  await client.withSession(session.accessToken).getAccount()
  return client.refreshSession({ refreshToken: session.refreshToken })
}

/** The answer for a user without any sign-in method. */
export const userWithoutMethods: Omit<User, 'id' | 'createdAt'> = {
  guest: false,
  methods: [],
  email: null,
  emailVerified: false,
  phone: null,
  phoneVerified: false,
}

/** Runs `act` concurrently; an error is represented by its code. */
export const atOnce = <T>(times: number, act: (index: number) => Promise<T>): Promise<(T | string)[]> =>
  Promise.all(Array.from({ length: times }, (_, index) => act(index).catch(({ code }) => String(code))))

/** The one success, and the errors. */
export function onlyWinner<T>(answers: readonly (T | string)[]): { winner: T; refusals: string[] } {
  const winners = answers.filter((answer) => typeof answer !== 'string')
  assert.equal(winners.length, 1)
  return { winner: winners[0] as T, refusals: answers.filter((answer) => typeof answer === 'string') }
}
