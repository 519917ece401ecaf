import type { DeliveryMethod } from '../../contract/accounts/otp.ts'
import { undoCodeLength, undoSeconds } from '../../server/delivery/notice.ts'
import { newOtp } from '../../server/otp/new-otp.ts'
import { codeContext, recoveryScope } from '../../server/otp/otp.ts'
import { otps } from '../../server/storage/stores/otps.ts'
import { writeStored } from './databases/stored-rows.ts'
import type { TestService } from './service.ts'

const policy = {
  length: undoCodeLength,
  ttlSeconds: undoSeconds,
  resendIntervalSeconds: 0,
  maxResends: 0,
  maxVerifyAttempts: 5,
}

/** Stores an undo code without a notice that carries it. */
export async function addRecoveryCode(
  service: TestService,
  tenantId: string,
  to: { readonly userId: string; readonly deliveryMethod: DeliveryMethod; readonly recipient: string },
): Promise<{ readonly otpId: string; readonly code: string }> {
  const { keyring } = service.service.services
  const otp = newOtp({ tenantId, scope: recoveryScope, decoy: false, ...to }, policy, keyring, service.clock.now())
  const values = [tenantId, ...otps.values(otp)]
  const places = values.map(() => '?').join(', ')
  await writeStored(service, `INSERT INTO otps (tenant_id, ${otps.names}) VALUES (${places})`, ...values)
  const context = codeContext(tenantId, otp.id, recoveryScope, to.recipient)
  return { otpId: otp.id, code: keyring.open(otp.sealedCode!, context) }
}
