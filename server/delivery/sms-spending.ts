/** One tenant's SMS of a day, counted where no restart forgets them (threat B11). */
export interface SmsSpending {
  /** Counts one more unless the budget of the day is used up; of N callers at once exactly as many as fit succeed. */
  spend(day: string, budget: number): Promise<boolean>
  /** Takes one back: no sender took the message. */
  giveBack(day: string): Promise<void>
}

/** The day of a time, in UTC: `2026-01-31`. */
export const dayOf = (time: number): string => new Date(time).toISOString().slice(0, 10)
