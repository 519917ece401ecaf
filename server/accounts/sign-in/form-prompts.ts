/** When sign-ins named the form that a user has to complete; times in epoch milliseconds. */
export interface FormPromptStore {
  /** The latest time; null when there is none. */
  latestOf(userId: string): Promise<number | null>
  /** Records a sign-in that names the form; false when one after `since` has done so, or the user does not exist. */
  record(userId: string, now: number, since: number): Promise<boolean>
}
