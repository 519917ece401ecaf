import type { TenantCall } from '../core/handler.ts'
import type { Services } from '../services.ts'
import { ownerOf } from './address-owner.ts'
import { addressOf, amrOf, consumeProof, findProof, type ProofRefusal } from './otp-proof.ts'
import { type OpenSession, openSession } from './start-session.ts'

/**
 * By a verified `otp_signin` one-time password (design 6), used up in the same transaction: whose address it went to
 * comes in, and is made where there is nobody.
 * @throws OTP_NOT_FOUND, OTP_NOT_CONSUMABLE, OTP_ALREADY_CONSUMED, RESTRICTED_CAPABILITY
 */
export async function signInWithCode(
  { token }: { readonly token: string },
  call: TenantCall<ProofRefusal | 'RESTRICTED_CAPABILITY'>,
  services: Services,
): Promise<OpenSession> {
  await findProof(token, call)
  return call.storage.write(async (tx) => {
    const otp = await consumeProof(tx, token, call)
    const signedIn = await ownerOf(tx, addressOf(otp), call, services)
    await tx.otps.attribute(otp.id, signedIn.user.id)
    return openSession(tx, { ...signedIn, amr: amrOf(otp) }, call, services)
  })
}
