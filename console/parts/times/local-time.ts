/**
 * The moment that an `<input type="datetime-local">` names in the browser's time zone, as the API takes it. One that the
 * language does not know, such as in the year 12026, is left to the API to refuse.
 */
export function localToIso(local: string): string {
  const time = new Date(local)
  return Number.isNaN(time.getTime()) ? local : time.toISOString()
}

/** A moment as an `<input type="datetime-local">` shows it: in the browser's time zone, to the minute. */
export function isoToLocal(iso: string): string {
  const time = new Date(iso)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
