import type { NewMessage } from '../delivery/message.ts'
import type { Otp, StoredOtpScope } from './otp.ts'

/** What became of a guarded change: applied, or the row as it is now (null when there is none). */
export interface Outcome {
  readonly applied: boolean
  readonly otp: Otp | null
}

/**
 * One tenant's one-time passwords. Each call is atomic; every change is one guarded statement, so of N racing callers
 * as many succeed as the rules of `otp.ts` allow, and those explain the rest.
 */
export interface OtpStore {
  find(id: string, scope: StoredOtpScope): Promise<Otp | null>
  /** Stores it together with the message that delivers it. */
  issue(otp: Otp, message: NewMessage): Promise<void>
  /** Stores it alone: its code travels in a notice. */
  add(otp: Otp): Promise<void>
  /** pending, interval passed, below the maximum → count +1, lastSentAt, and a message queued in the same act. */
  resend(id: string, scope: StoredOtpScope, now: number, message: NewMessage): Promise<Outcome>
  /** pending → verified, code wiped. `otp` is the row after. */
  verify(id: string, scope: StoredOtpScope, now: number): Promise<Outcome>
  /** One wrong code more; the last one allowed locks and wipes the code. `otp` is the row after. */
  countWrongCode(id: string, scope: StoredOtpScope, now: number): Promise<Outcome>
  /** verified and alive → consumed. */
  consume(id: string, scope: StoredOtpScope, now: number): Promise<Outcome>
  /** Notes whom one that was sent to a mere address turned out to be about. */
  attribute(id: string, userId: string): Promise<void>
  /** Those about a user that are still kept, oldest first. */
  listOf(userId: string): Promise<Otp[]>
  /** Forgets where those about a deleted user went. */
  forgetRecipients(userId: string): Promise<void>
  /** Every live one of a user → cancelled, code wiped; but not those that undo a change of address. */
  cancelLive(userId: string, now: number): Promise<void>
  /** Those that undo a change of address made at `since` or later → cancelled, code wiped. */
  cancelRecoveries(userId: string, since: number, now: number): Promise<void>
}
