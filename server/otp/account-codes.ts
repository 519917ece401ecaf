import type { SessionAnswer } from '../../contract/sign-in.ts'
import type { TenantCall } from '../core/handler.ts'
import type { Stores, Tx } from '../storage/storage.ts'
import type { Otp } from './otp.ts'
import type { Outcome } from './otp-store.ts'

/** What a verified code did to an account. */
export interface VerifiedAccount extends Outcome {
  /** Presents the session of a guest who gained a first way to sign in; absent for everybody else. */
  readonly present?: () => Promise<SessionAnswer>
}

/** What the codes that change an account (`changesAccount`) depend on and do; `accounts/` provides it. */
export interface AccountCodes {
  /**
   * Whether the code may still change the account: the session that asked for it is live, and its user may sign in.
   * Inside a transaction the rows of both stay locked until it ends.
   */
  mayStillVerify(stores: Stores, otp: Otp, now: number): Promise<boolean>
  /**
   * The code was right: uses it up, and marks the address verified or makes it the account's.
   * @throws OTP_NOT_PENDING, EMAIL_ALREADY_REGISTERED, PHONE_ALREADY_REGISTERED
   */
  verify(tx: Tx, otp: Otp, call: TenantCall): Promise<VerifiedAccount>
}
