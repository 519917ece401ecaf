import type { z } from 'zod'
import type { SocialProof } from '../../../contract/accounts/sign-in.ts'
import type { TenantCall } from '../../core/call.ts'
import { clockMarginMs } from '../../core/clock.ts'
import { ulid } from '../../core/ids.ts'
import type { IdentityProviders, SocialIdentity } from '../../identity-providers/identity-providers.ts'
import type { Tx } from '../../storage/storage.ts'
import type { Identity } from '../identity.ts'
import type { User } from '../user.ts'

/** Verifies an ID token. Refuses with TENANT_NOT_CONFIGURED while the tenant has no client id at the provider. */
export async function verifyProviderProof(
  { method, idToken, nonce }: z.output<typeof SocialProof>,
  { now, snapshot, refuse }: TenantCall<'TENANT_NOT_CONFIGURED' | 'INVALID_SOCIAL_TOKEN'>,
  providers: IdentityProviders,
): Promise<SocialIdentity> {
  const registration = snapshot.configuration.auth?.[method]
  if (registration === undefined) throw refuse('TENANT_NOT_CONFIGURED')
  const identity = await providers.verify(method, idToken, { ...registration, nonce, now })
  if (identity === null) throw refuse('INVALID_SOCIAL_TOKEN')
  return identity
}

/**
 * Consumes an ID token in the transaction that acts on it; of concurrent transactions with the same token one commits.
 * After a rollback the token is unused. Call it first in the transaction: taking a row lock before it can deadlock.
 */
export async function useIdToken(
  tx: Tx,
  { idToken }: SocialIdentity,
  { refuse }: TenantCall<'INVALID_SOCIAL_TOKEN'>,
): Promise<void> {
  if (!(await tx.usedIdTokens.add(idToken.hash, idToken.expiresAt))) throw refuse('INVALID_SOCIAL_TOKEN')
}

/**
 * The identity as it is linked to a user. Never older than an earlier change of the user, whose request may have begun later: a
 * recovery removes what is not older than the change of address. One at which the clock was wrong does not count.
 * @param user locked or new
 */
export function newIdentity(
  { provider, subject, email }: SocialIdentity,
  user: Pick<User, 'id' | 'updatedAt'>,
  now: number,
): Identity {
  const isLater = user.updatedAt > now && user.updatedAt <= now + clockMarginMs
  const createdAt = isLater ? user.updatedAt : now
  return { id: ulid(now), userId: user.id, provider, subject, email, createdAt, lastUsedAt: createdAt }
}
