import type { TenantCall } from '../handler.ts'
import { ownerOf } from './address-owner.ts'
import { addressOf, consumeProof, findProof } from './otp-proof.ts'
import { type OpenSession, openSession, type SessionTokens } from './start-session.ts'

/**
 * By a verified `otp_signin` one-time password (design 6), used up in the same transaction: whose address it went to
 * comes in, and is made where there is nobody.
 * @throws OTP_NOT_FOUND, OTP_NOT_CONSUMABLE, OTP_ALREADY_CONSUMED, RESTRICTED_CAPABILITY
 */
export async function signInWithCode(
  { token }: { readonly token: string },
  call: TenantCall,
  tokens: SessionTokens,
): Promise<OpenSession> {
  await findProof(token, call)
  return call.storage.write(async (tx) => {
    const otp = await consumeProof(tx, token, call.now)
    const amr = otp.deliveryMethod === 'sms' ? ['otp', 'sms'] : ['otp']
    const entrance = await ownerOf(tx, addressOf(otp), call)
    await tx.otps.attribute(otp.id, entrance.user.id)
    return openSession(tx, { ...entrance, amr }, call, tokens)
  })
}
