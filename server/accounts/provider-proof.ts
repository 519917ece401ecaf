import type { z } from 'zod'
import type { SocialProof } from '../../contract/sign-in.ts'
import type { TenantCall } from '../handler.ts'
import type { IdentityProviders, SocialIdentity } from '../identity-providers/identity-providers.ts'
import { ulid } from '../ids.ts'
import { ServiceError } from '../service-error.ts'
import type { Identity } from './identity.ts'

/**
 * Whom a provider says its ID token is for.
 * @throws INVALID_SOCIAL_TOKEN; TENANT_NOT_CONFIGURED while the tenant has named no client id of its own at the provider
 */
export async function verifyProviderProof(
  { method, idToken, nonce }: z.output<typeof SocialProof>,
  { now, tenant }: TenantCall,
  providers: IdentityProviders,
): Promise<SocialIdentity> {
  const registration = tenant.configuration.auth?.[method]
  if (registration === undefined) throw new ServiceError('TENANT_NOT_CONFIGURED')
  const identity = await providers.verify(method, idToken, { ...registration, nonce, now })
  if (identity === null) throw new ServiceError('INVALID_SOCIAL_TOKEN')
  return identity
}

/** The identity as it is linked to a user. */
export const newIdentity = (social: SocialIdentity, userId: string, now: number): Identity => ({
  id: ulid(now),
  userId,
  provider: social.provider,
  subject: social.subject,
  email: social.email,
  createdAt: now,
  lastUsedAt: now,
})
