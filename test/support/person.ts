import type { OtpScope } from '../../contract/accounts/otp.ts'
import type { SessionAnswer } from '../../contract/accounts/sign-in.ts'
import type { OutputOf } from '../../packages/client/src/index.ts'
import type { TestService, TestTenant } from './service.ts'

/** A user with an account at a tenant: two addresses, unverified until `prove`, and a password. */
export interface Person {
  readonly userId: string
  readonly email: string
  readonly phone: string
  readonly password: string
  signIn(password?: string): Promise<SessionAnswer>
  /** The tenant's client with a session of this user. */
  client(): Promise<TestTenant['client']>
  /** Issues a one-time password of any scope. */
  issue(scope: OtpScope): Promise<OutputOf<'issueOtp'>>
  /** Issues and verifies one; returns its id. */
  verified(scope: OtpScope): Promise<string>
  /** Verifies both addresses. */
  prove(): Promise<void>
}

let people = 0

/** Creates the user with the admin API. */
export async function addPerson(service: TestService, tenant: TestTenant, password = 'correct horse'): Promise<Person> {
  const number = ++people
  const email = `person-${number}@example.com`
  const phone = `+3361234${String(number).padStart(4, '0')}`
  const { id: userId } = await service.admin.createUser({ tenantId: tenant.tenantId }, { email, phone, password })
  const signIn = (given = password) => tenant.client.signIn({ method: 'password', email, password: given })
  const client = async () => tenant.client.withSession((await signIn()).accessToken)

  async function issue(scope: OtpScope) {
    if (scope === 'reset_password') return tenant.client.resetPassword({ step: 'challenge', email })
    if (scope === 'otp_signin') return tenant.client.issueOtp({ scope, email })
    return (await client()).issueOtp({ scope })
  }

  async function verified(scope: OtpScope) {
    const { id } = await issue(scope)
    await tenant.client.verifyOtp({ id, scope, code: await service.codeOf(id) })
    return id
  }

  async function prove() {
    await verified('email_verification')
    await verified('phone_verification')
  }

  return { userId, email, phone, password, signIn, client, issue, verified, prove }
}
