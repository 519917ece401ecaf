import type { TenantCall } from '../../core/call.ts'
import type { Services } from '../../services.ts'
import { ownerOf } from '../addresses/address-owner.ts'
import { type OpenSession, openSession, type SignedInUser } from '../sessions/start-session.ts'
import { addressOf, amrOf, consumeProof, isOutdated, type ProofRefusal } from './otp-proof.ts'

/**
 * Signs in by a verified `otp_signin` one-time password, consumed in the same transaction. Signs in the owner of the
 * address it was sent to, or creates a user. Nothing is read before: consuming it decides, and refuses as a read would.
 */
export function signInWithCode(
  { token, endOtherSessions }: Pick<SignedInUser, 'endOtherSessions'> & { readonly token: string },
  call: TenantCall<ProofRefusal | 'RESTRICTED_CAPABILITY'>,
  services: Services,
): Promise<OpenSession> {
  return call.storage.write(async (tx) => {
    const otp = await consumeProof(tx, token, call)
    const signedIn = await ownerOf(tx, addressOf(otp), call, services)
    // The account may have been handed over just now, so only its former owner could have ended codes.
    const { user, isNewUser, firstProof } = signedIn
    if (!isNewUser && !firstProof && (await isOutdated(tx, otp, user, call.now)))
      throw call.refuse('OTP_NOT_CONSUMABLE')
    return openSession(tx, { ...signedIn, amr: amrOf(otp), proof: otp, endOtherSessions }, call, services)
  })
}
