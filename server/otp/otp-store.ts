import type { NewMessage } from '../delivery/message.ts'
import type { QueuedEvent } from '../events/event.ts'
import type { Otp, StoredOtpScope } from './otp.ts'

/** The result of a guarded change: whether it applied, and the row after it (null when there is none). */
export interface Outcome {
  readonly applied: boolean
  readonly otp: Otp | null
}

/**
 * The one-time passwords of a tenant. Each call is atomic, and every change is one guarded statement: of concurrent
 * callers as many succeed as the rules in `otp.ts` allow, and these rules name the refusal for the others.
 */
export interface OtpStore {
  find(id: string, scope: StoredOtpScope): Promise<Otp | null>
  /** Stores it together with the message that delivers it, and the event. */
  issue(otp: Otp, message: NewMessage, event?: QueuedEvent | null): Promise<void>
  /** Stores it without a message: a notice contains its code. */
  add(otp: Otp): Promise<void>
  /** Counts a resend and queues message and event, if it is pending, the interval has passed, and resends remain. */
  resend(
    id: string,
    scope: StoredOtpScope,
    now: number,
    message: NewMessage,
    event?: QueuedEvent | null,
  ): Promise<Outcome>
  /**
   * Reads a pending one and locks its row, for comparing a code in the same transaction. Does not apply to any other
   * state.
   */
  lockPending(id: string, scope: StoredOtpScope, now: number): Promise<Outcome>
  /**
   * pending → verified; erases the code and queues the event. The other fields of the result are those of `otp` as it was
   * read.
   */
  verify(otp: Otp, now: number, event?: QueuedEvent | null): Promise<Outcome>
  /** Counts a wrong code; the last allowed one locks it and erases the code. */
  countWrongCode(id: string, scope: StoredOtpScope, now: number): Promise<Outcome>
  /**
   * verified and not expired → consumed.
   * @param consumedAt later than `now` if the request had to wait: codes that were requested meanwhile are older
   */
  consume(id: string, scope: StoredOtpScope, now: number, consumedAt?: number): Promise<Outcome>
  /** Sets the user of one that was sent to an address without naming a user, and the session that it proved the user in. */
  attribute(id: string, proven: { readonly userId: string; readonly sessionId: string }): Promise<void>
  /** Retained ones of a user, oldest first. */
  listOf(userId: string): Promise<Otp[]>
  /** Erases the recipients from those of a deleted user. */
  forgetRecipients(userId: string): Promise<void>
  /** Cancels every live one of a user and erases its code, except those that undo a change of address. */
  cancelLive(userId: string, now: number): Promise<void>
}
