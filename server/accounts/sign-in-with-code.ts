import type { TenantCall } from '../core/handler.ts'
import type { Otp } from '../otp/otp.ts'
import type { Services } from '../services.ts'
import { ownerOf } from './address-owner.ts'
import { addressOf, amrOf, attributeProof, consumeProof, type ProofRefusal } from './otp-proof.ts'
import { type OpenSession, openSession } from './start-session.ts'

/**
 * Signs in by a verified `otp_signin` one-time password, consumed in the same transaction. Signs in the owner of the
 * address it was sent to, or creates a user. Nothing is read before: consuming it decides, and refuses as a read would.
 */
export function signInWithCode(
  { token }: { readonly token: string },
  call: TenantCall<ProofRefusal | 'RESTRICTED_CAPABILITY'>,
  services: Services,
): Promise<OpenSession> {
  return call.storage.write(async (tx) => {
    const otp = await consumeProof(tx, token, call)
    const signedIn = await ownerOf(tx, addressOf(otp), call, services)
    if (isOutdated(otp, signedIn)) throw call.refuse('OTP_NOT_CONSUMABLE')
    await attributeProof(tx, otp, signedIn.user.id, call)
    return openSession(tx, { ...signedIn, amr: amrOf(otp) }, call, services)
  })
}

/** Whether the user has changed or reset the password since: that ends what someone else may have begun before. */
function isOutdated({ createdAt }: Otp, { user, isNewUser, firstProof }: Awaited<ReturnType<typeof ownerOf>>): boolean {
  const { passwordChangedAt } = user
  return !isNewUser && !firstProof && passwordChangedAt !== null && createdAt < passwordChangedAt
}
