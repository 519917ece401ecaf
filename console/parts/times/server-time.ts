/** Below it, the clock of the browser is the better one: a `Date` header names seconds, and an answer takes time. */
const toleratedMs = 60_000

let offsetMs = 0

/** Compares the clock of the browser with the `Date` header of an answer that has just arrived (RFC 9110, 6.6.1). */
export function learnServerTime({ headers }: Response): void {
  const sent = Date.parse(headers.get('date') ?? '')
  if (Number.isNaN(sent)) return
  const difference = sent + 1000 - Date.now()
  offsetMs = Math.abs(difference) > toleratedMs ? difference : 0
}

/** Now in epoch milliseconds, also where the clock of the browser is wrong: the server judges what has expired. */
export const serverNow = (): number => Date.now() + offsetMs
