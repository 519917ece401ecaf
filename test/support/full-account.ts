import type { TenantryClient } from '../../packages/client/src/index.ts'
import type { IdentityProvider } from './identity-provider.ts'
import type { TestService, TestTenant } from './service.ts'

/** A user with a row in every table; each text about the user occurs nowhere else. */
export interface FullAccount {
  readonly userId: string
  readonly email: string
  readonly password: string
  /** Signed in with a one-time password. */
  readonly client: TenantryClient
  readonly refreshToken: string
  /** Texts about the user, by kind. */
  readonly known: Readonly<Record<string, string>>
  readonly otps: {
    /** The `otp_signin` with which `client` signed in. */
    readonly signedIn: string
    /** Sent to an address that is not the user's yet. */
    readonly emailChange: string
    readonly reset: string
  }
}

/** A tenant that allows full accounts. */
export async function addTenantForFullAccounts(service: TestService, google: IdentityProvider): Promise<TestTenant> {
  const auth = { methods: ['password', 'otp', 'guest', 'google'], google: { clientIds: [google.clientId] } }
  const tenant = await service.addTenant({ configuration: { auth } })
  const { tenantId } = tenant
  const firstName = { name: 'firstName', type: 'text', unique: true, searchable: true } as const
  await service.admin.publishProfileSchema({ tenantId }, { components: [firstName] })
  return tenant
}

let accounts = 0

/** Creates one over HTTP, as its owner would over the years. */
export async function addFullAccount(
  service: TestService,
  tenant: TestTenant,
  google: IdentityProvider,
): Promise<FullAccount> {
  const number = ++accounts
  const known = {
    firstEmail: `first-${number}@canary.example`,
    email: `second-${number}@canary.example`,
    futureEmail: `third-${number}@canary.example`,
    firstPhone: `+336123410${String(number).padStart(2, '0')}`,
    phone: `+336123420${String(number).padStart(2, '0')}`,
    firstName: `Canary Wharf ${number}`,
    subject: `google-subject-${number}`,
    googleEmail: `google-${number}@canary.example`,
    userAgent: `CanaryPhone/${number}`,
    network: `203.0.${number}.0/24`,
    restriction: `reason of restriction ${number}`,
  }
  const { email, firstName } = known
  const passwords = [`first password ${number}`, `second password ${number}`] as const
  // A back end names the client address of its user.
  const headers = {
    'user-agent': known.userAgent,
    'x-client-ip': `203.0.${number}.7`,
    'x-tenant-key': tenant.secretKey,
  }
  const prove = async (id: string, scope: 'email_verification' | 'phone_verification' | 'otp_signin') =>
    tenant.client.verifyOtp({ id, scope, code: await service.codeOf(id) })

  const signUp = {
    method: 'password',
    email: known.firstEmail,
    password: passwords[0],
    profile: { firstName },
  } as const
  const first = await tenant.client.signUp(signUp, { headers })
  const owner = tenant.client.withSession(first.accessToken)
  await prove(
    (await owner.issueOtp({ scope: 'email_verification' }, { idempotencyKey: `verify-${number}` })).id,
    'email_verification',
  )
  for (const phone of [known.firstPhone, known.phone]) {
    await prove((await owner.changePhone({ phone })).id, 'phone_verification')
  }
  await prove((await owner.changeEmail({ email })).id, 'email_verification')
  const idToken = await google.sign({ sub: known.subject, email: known.googleEmail })
  await owner.addIdentity({ method: 'google', idToken })
  await owner.changePassword({ currentPassword: passwords[0], password: passwords[1] })

  const { id: signedIn } = await tenant.client.issueOtp({ scope: 'otp_signin', email })
  await prove(signedIn, 'otp_signin')
  const session = await tenant.client.signIn({ method: 'otp', token: signedIn }, { headers })
  const client = tenant.client.withSession(session.accessToken)
  const { id: reset } = await tenant.client.resetPassword({ step: 'challenge', email })
  const { id: emailChange } = await client.changeEmail({ email: known.futureEmail })
  const path = { tenantId: tenant.tenantId, userId: first.user.id }
  const restrictions = [{ capability: 'upload' as const, reason: known.restriction }]
  await service.admin.updateUser(path, { restrictions })
  return {
    userId: first.user.id,
    email,
    password: passwords[1],
    client,
    refreshToken: session.refreshToken,
    known,
    otps: { signedIn, emailChange, reset },
  }
}
