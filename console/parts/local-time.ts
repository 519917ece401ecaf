/** The moment that an `<input type="datetime-local">` names in the browser's time zone, as the API takes it. */
export const localToIso = (local: string): string => new Date(local).toISOString()

/** A moment as an `<input type="datetime-local">` shows it: in the browser's time zone, to the minute. */
export function isoToLocal(iso: string): string {
  const time = new Date(iso)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
