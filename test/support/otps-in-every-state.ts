import { OtpScope, type OtpState } from '../../contract/accounts/otp.ts'
import { ulid } from '../../server/core/ids.ts'
import { newOtp } from '../../server/otp/new-otp.ts'
import { codeContext } from '../../server/otp/otp.ts'
import type { Person } from './person.ts'
import type { TestService } from './service.ts'

/** A one-time password of a tenant's user in a given state. */
export interface OtpInState {
  readonly id: string
  readonly scope: OtpScope
  readonly state: OtpState
  /** The code it was issued with. */
  readonly code: string
}

const policy = { length: 6, ttlSeconds: 600, resendIntervalSeconds: 60, maxResends: 3, maxVerifyAttempts: 5 }

/** One OTP of each scope in each state, written through the stores. Pending ones may be resent; all messages are delivered. */
export async function issueInEveryState(service: TestService, tenantId: string, person: Person): Promise<OtpInState[]> {
  const otps: OtpInState[] = []
  // Cancelling affects all live ones of the user, so it comes first.
  const states: OtpState[] = ['cancelled', 'pending', 'verified', 'consumed', 'locked', 'expired']
  for (const state of states) {
    for (const scope of OtpScope.options) otps.push(await issueInState(service, tenantId, person, scope, state))
  }
  await service.service.services.delivery.drain()
  return otps
}

async function issueInState(
  { service: { services }, clock }: TestService,
  tenantId: string,
  person: Person,
  scope: OtpScope,
  state: OtpState,
): Promise<OtpInState> {
  const { keyring, storage } = services
  const now = clock.now()
  const issuedAt = state === 'expired' ? now - policy.ttlSeconds * 1000 : now - policy.resendIntervalSeconds * 1000
  const sms = scope === 'phone_verification'
  const to = { deliveryMethod: sms ? 'sms' : 'email', recipient: sms ? person.phone : person.email } as const
  const otp = newOtp({ tenantId, scope, userId: person.userId, decoy: false, ...to }, policy, keyring, issuedAt)
  const { id } = otp
  const code = keyring.open(otp.sealedCode!, codeContext(tenantId, id, scope, otp.recipient))
  const { otps } = storage.forTenant(tenantId)
  await otps.issue(otp, { id: ulid(now), lease: null })
  if (state === 'verified' || state === 'consumed') await otps.verify(otp, now)
  if (state === 'consumed') await otps.consume(id, scope, now)
  for (let wrong = 0; state === 'locked' && wrong < policy.maxVerifyAttempts; wrong++) {
    await otps.countWrongCode(id, scope, now)
  }
  if (state === 'cancelled') await otps.cancelLive(person.userId, now)
  return { id, scope, state, code }
}
