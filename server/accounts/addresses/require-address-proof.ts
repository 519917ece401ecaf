import type { UserCall } from '../../core/call.ts'
import { undoSeconds } from '../../delivery/notice.ts'
import type { Stores } from '../../storage/storage.ts'
import type { AddressKind, User } from '../user.ts'
import { otherKind, verifiedAt } from './address.ts'

/**
 * Refuses to replace or remove an address that an undo has restored in the last 72 hours, unless a code to it was consumed
 * in this session (ACCOUNT-10). A thief who added a way to sign in before the change comes back with it after the undo, and
 * would change the address again. The undo ended all sessions, so a code that was consumed in a live one is younger.
 * A code to an older address will do: a thief may have added this one, and its undo must not keep the owner from removing it.
 */
export async function requireAddressProof(
  { undoCodes }: Pick<Stores, 'undoCodes'>,
  user: User,
  kind: AddressKind,
  { now, session, refuse }: UserCall<'ADDRESS_PROOF_REQUIRED'>,
): Promise<void> {
  const recipient = user[kind]
  if (recipient === null) return
  const restored = { userId: user.id, recipient, since: now - undoSeconds * 1000 }
  const isOtherOlder = (verifiedAt(user, otherKind(kind)) ?? Infinity) < (verifiedAt(user, kind) ?? Infinity)
  const older = isOtherOlder ? user[otherKind(kind)] : null
  if (await undoCodes.isUnproven(restored, { sessionId: session.id, older })) throw refuse('ADDRESS_PROOF_REQUIRED')
}
