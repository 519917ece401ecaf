import type { z } from 'zod'
import type { SocialProof } from '../../contract/sign-in.ts'
import type { TenantCall } from '../core/handler.ts'
import type { SocialIdentity } from '../identity-providers/identity-providers.ts'
import type { Services } from '../services.ts'
import { type Tx, WriteConflict } from '../storage/storage.ts'
import { hold, ownerOf, readBack } from './address-owner.ts'
import { addNewUser } from './new-account.ts'
import { notifyUser } from './notify-user.ts'
import { newIdentity, useIdToken, verifyProviderProof } from './provider-proof.ts'
import { type Entrance, type OpenSession, openSession } from './start-session.ts'

/**
 * By a provider's ID token (design 6). The provider's own id of the account leads to the user. For one never seen, an
 * address that the provider has verified leads to its owner; an address it has not verified leads nowhere and is not
 * taken over.
 * @throws INVALID_SOCIAL_TOKEN, TENANT_NOT_CONFIGURED, RESTRICTED_CAPABILITY, SERVICE_UNAVAILABLE
 */
export async function signInByProvider(
  proof: z.output<typeof SocialProof>,
  call: TenantCall<'TENANT_NOT_CONFIGURED' | 'INVALID_SOCIAL_TOKEN' | 'RESTRICTED_CAPABILITY'>,
  services: Services,
): Promise<OpenSession> {
  const social = await verifyProviderProof(proof, call, services.identityProviders)
  return call.storage.write(async (tx) => {
    await useIdToken(tx, social, call)
    const entrance = (await returning(tx, social, call)) ?? (await firstTime(tx, social, call, services))
    return openSession(tx, { ...entrance, amr: [social.provider] }, call, services)
  })
}

type Comer = Omit<Entrance, 'amr'>

async function returning(
  tx: Tx,
  { provider, subject, email }: SocialIdentity,
  call: TenantCall,
): Promise<Comer | null> {
  const known = await tx.identities.find(provider, subject)
  if (known === null) return null
  const user = await hold(tx, known.userId)
  await tx.identities.touch(known.id, email, call.now)
  return { user, isNewUser: false }
}

/** An account that was linked by its address is told, if it was proven before. */
async function firstTime(
  tx: Tx,
  social: SocialIdentity,
  call: TenantCall<'RESTRICTED_CAPABILITY'>,
  services: Services,
): Promise<Comer> {
  const { email, emailVerified } = social
  const comer =
    email !== null && emailVerified
      ? await ownerOf(tx, { email }, call, services)
      : { user: await addNewUser(tx, {}, call), isNewUser: true }
  if (!(await tx.identities.add(newIdentity(social, comer.user.id, call.now)))) {
    throw new WriteConflict('The same identity came first')
  }
  const isLinked = !comer.isNewUser && !comer.firstProof
  if (isLinked) await notifyUser(tx, comer.user, 'identity_added', call, services)
  return { ...comer, user: await readBack(tx, comer.user.id) }
}
