import type { z } from 'zod'
import type { SocialProof } from '../../../contract/accounts/sign-in.ts'
import type { TenantCall } from '../../core/call.ts'
import { record } from '../../events/record.ts'
import { asUser } from '../../events/subjects.ts'
import type { SocialIdentity } from '../../identity-providers/identity-providers.ts'
import type { Services } from '../../services.ts'
import { type Tx, WriteConflict } from '../../storage/storage.ts'
import { identityAdded } from '../account-events.ts'
import { lockUser, ownerOf, readBack } from '../addresses/address-owner.ts'
import { withLinkBudget } from '../addresses/change-budget.ts'
import { notifyUser } from '../notify-user.ts'
import { type OpenSession, openSession, type SignedInUser } from '../sessions/start-session.ts'
import { addNewUser } from './new-account.ts'
import { newIdentity, useIdToken, verifyProviderProof } from './provider-proof.ts'

/**
 * Signs in by a provider's ID token. The provider's account id finds the user. For an unknown one, an address that the
 * provider verified finds its owner; an address it has not verified is ignored.
 */
export async function signInByProvider(
  { endOtherSessions, ...proof }: z.output<typeof SocialProof> & Pick<SignedInUser, 'endOtherSessions'>,
  call: TenantCall<'TENANT_NOT_CONFIGURED' | 'INVALID_SOCIAL_TOKEN' | 'RESTRICTED_CAPABILITY'>,
  services: Services,
): Promise<OpenSession> {
  const social = await verifyProviderProof(proof, call, services.identityProviders)
  const open = (isCounted: boolean) =>
    call.storage.write(async (tx) => {
      await useIdToken(tx, social, call)
      const signedIn = (await returning(tx, social, call)) ?? (await firstTime(tx, social, isCounted, call, services))
      return openSession(tx, { ...signedIn, amr: [social.provider], endOtherSessions }, call, services)
    })
  try {
    return await open(false)
  } catch (error) {
    if (!(error instanceof LinksAccount)) throw error
    return withLinkBudget(call, error.userId, services.budgets, () => open(true))
  }
}

/** Rolls back a sign-in that would link an account by its address: only the transaction knows whose budget that takes from. */
class LinksAccount extends Error {
  readonly userId: string

  constructor(userId: string) {
    super('The sign-in links an account by its address')
    this.userId = userId
  }
}

type FoundUser = Omit<SignedInUser, 'amr'>

async function returning(
  tx: Tx,
  { provider, subject, email }: SocialIdentity,
  call: TenantCall,
): Promise<FoundUser | null> {
  const known = await tx.identities.find(provider, subject)
  if (known === null) return null
  const user = await lockUser(tx, known.userId)
  if (!(await tx.identities.touch(known.id, email, call.now)))
    throw new WriteConflict('The identity found by this transaction was removed in the meantime')
  return { user, isNewUser: false }
}

/** Notifies a user whose account was linked by its address, if the address was verified before. */
async function firstTime(
  tx: Tx,
  social: SocialIdentity,
  isCounted: boolean,
  call: TenantCall<'RESTRICTED_CAPABILITY'>,
  services: Services,
): Promise<FoundUser> {
  const { email, emailVerified } = social
  const found =
    email !== null && emailVerified
      ? await ownerOf(tx, { email }, call, services)
      : { user: await addNewUser(tx, {}, call), isNewUser: true }
  const isLinked = !found.isNewUser && !found.firstProof
  if (isLinked && !isCounted) throw new LinksAccount(found.user.id)
  const identity = newIdentity(social, found.user, call.now)
  if (!(await tx.identities.add(identity))) {
    throw new WriteConflict('Another transaction added the same identity first')
  }
  await record(tx, call, {
    ...identityAdded(identity, isLinked ? 'identity.linked_by_address' : 'identity.added'),
    actor: asUser(found.user.id),
  })
  if (isLinked) await notifyUser(tx, found.user, 'identity_added', call, services)
  return { ...found, user: await readBack(tx, found.user.id) }
}
