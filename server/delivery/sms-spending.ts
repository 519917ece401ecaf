/** A tenant's daily number of SMS, stored in the database so that restarts do not reset it (threat B11). */
export interface SmsSpending {
  /** Counts one SMS; false when the budget of the day is used up. Atomic: parallel calls never exceed the budget. */
  spend(day: string, budget: number): Promise<boolean>
  /** Takes one back, because no provider accepted the message. */
  giveBack(day: string): Promise<void>
}
