/** The value of a `datetime-local` input as an instant; null for none. */
export const instantOf = (local: string): string | null => (local === '' ? null : new Date(local).toISOString())

/** An instant in the time of this browser, as a `datetime-local` input shows it. */
export function localOf(instant: string | null): string {
  if (instant === null) return ''
  const date = new Date(instant)
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
