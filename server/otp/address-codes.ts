import type { verifyOtp as operation } from '../../contract/otp.ts'
import type { SessionAnswer } from '../../contract/sign-in.ts'
import type { Call } from '../core/handler.ts'
import type { Services } from '../services.ts'
import type { Stores, Tx } from '../storage/storage.ts'
import type { Otp } from './otp.ts'
import type { Outcome } from './otp-store.ts'

/** The result of verifying an address code. */
export interface VerifiedAddress extends Outcome {
  /** Signs the session of a guest who gained a first way to sign in; absent for all other users. */
  readonly present?: () => SessionAnswer
}

/** What a code that changes an account (`changesAccount`) depends on and does; `accounts/` implements it. */
export interface AddressCodes {
  /**
   * Whether the code may still change the account: the session that requested it is live, and its user may sign in. Inside
   * a transaction the rows of user and session stay locked until it ends.
   */
  mayStillVerify(stores: Stores, otp: Otp, now: number): Promise<boolean>
  /** Consumes the one-time password and changes the account, in one transaction. */
  verify(tx: Tx, otp: Otp, call: Call<typeof operation>, services: Services): Promise<VerifiedAddress>
}
