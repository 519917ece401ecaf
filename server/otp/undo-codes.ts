/** Codes that undo changes of address, by the time of the change and of the first verification of the lost address. */
export interface UndoCodes {
  readonly madeSince: number
  /** Keeps those of addresses that had been verified before. */
  readonly notOlderThan: number
}

export const allUndoCodes: UndoCodes = { madeSince: 0, notOlderThan: 0 }

/** An address of a user that may have recovered the account after `since`, in epoch milliseconds. */
export interface RecoveredAddress {
  readonly userId: string
  readonly recipient: string
  readonly since: number
}

/** The codes of one tenant that undo changes of address: one-time passwords of the scope `address_recovery`. */
export interface UndoCodeStore {
  /** Cancels live ones of a user and erases their codes. */
  cancel(userId: string, which: UndoCodes, now: number): Promise<void>
  /** Cancels those of addresses that were verified later than `verifiedAt`. */
  cancelYounger(userId: string, verifiedAt: number, now: number): Promise<void>
  /** When the user had verified an address that they lost; null if there is no unexpired code that undoes it, whatever its state. */
  lostAddressVerifiedAt(userId: string, recipient: string, now: number): Promise<number | null>
  /** Whether the loss of an address other than `recipient` can be undone. */
  canRestoreAnother(userId: string, recipient: string, now: number): Promise<boolean>
  /** Whether an undo restored the address after `since`, and no code to it, or to the older one, was consumed in the session. */
  isUnproven(
    restored: RecoveredAddress,
    proof: { readonly sessionId: string; readonly older: string | null },
  ): Promise<boolean>
  /** Whether an undo or a password reset with a code to the address was completed after `since`, and not after `until`. */
  isRecoveredSince(recovered: RecoveredAddress & { readonly until: number }): Promise<boolean>
}
