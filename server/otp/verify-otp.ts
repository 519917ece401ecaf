import { verifyOtp as operation } from '../../contract/otp.ts'
import { presentSession, type SessionTokens } from '../accounts/start-session.ts'
import { mayStillVerify, verifyAddress } from '../accounts/verify-address.ts'
import type { Handler, TenantCall } from '../handler.ts'
import { refusalsOf } from '../service-error.ts'
import { checkCode, requireApplied } from './check-code.ts'
import { noteWrongCode } from './code-budgets.ts'
import { changesAccount, type Otp, stateOf } from './otp.ts'
import type { CodeServices } from './send-code.ts'

const refuse = refusalsOf(operation)

/** `POST /otp/verify`: proves the code; of scopes that prove an address, the address in the same transaction. */
export const verifyOtp =
  (services: CodeServices & SessionTokens): Handler<typeof operation> =>
  async ({ body: { id, scope, code } }, call) => {
    const { now, storage, tenant, address } = call
    const found = await storage.otps.find(id, scope)
    if (changesAccount(scope) && found !== null) await requireAsker(found, call)
    const otp = await checkCode(found, code, call, services.keyring, ({ recipient }) =>
      noteWrongCode(services.budgets, { tenantId: tenant.tenant.id, recipient }, address, now),
    )
    if (!changesAccount(scope)) {
      requireApplied(await storage.otps.verify(id, scope, now), now)
      return { success: true }
    }
    const outcome = await storage.write((tx) => verifyAddress(tx, otp, call, services))
    requireApplied(outcome, now)
    services.delivery.wake()
    return {
      success: true,
      ...(outcome.session && { session: await presentSession(outcome.session, call, services) }),
    }
  }

/** Before anything of the code is compared; judged again in the transaction of the change. @throws OTP_NOT_PENDING */
async function requireAsker(otp: Otp, { now, storage }: TenantCall): Promise<void> {
  if (stateOf(otp, now) !== 'pending') return
  const user = otp.userId === null ? null : await storage.users.find(otp.userId)
  if (!(await mayStillVerify(storage, otp, user, now))) throw refuse('OTP_NOT_PENDING')
}
