import type { verifyOtp as operation } from '../../contract/accounts/otp.ts'
import type { SessionAnswer } from '../../contract/accounts/sign-in.ts'
import type { Call } from '../core/call.ts'
import type { Tx } from '../storage/storage.ts'
import type { Otp } from './otp.ts'
import type { Outcome } from './otp-store.ts'

/** The result of verifying an address code. */
export interface VerifiedAddress extends Outcome {
  /** Signs the session of a guest who gained a first way to sign in; absent for all other users. */
  readonly present?: () => SessionAnswer
}

/**
 * What a code that changes an account (`changesAccount`) depends on and does; `accounts/` implements it. `S` is what the
 * change takes, which `otp/` only hands over.
 */
export interface AddressCodes<S> {
  /**
   * Locks the user whose account the code changes, and the session that requested it, until the transaction ends.
   * @returns null when the code may no longer change the account: the session has ended, or its user may not sign in
   */
  lockOwner(tx: Tx, otp: Otp, now: number): Promise<LockedOwner<S> | null>
}

/** The owner of a code, locked in a transaction. */
interface LockedOwner<S> {
  /** Consumes the one-time password and changes the account, in the same transaction. */
  verify(call: Call<typeof operation>, services: S): Promise<VerifiedAddress>
}
