/**
 * A name for the version after `current` that no version has. Names that are numbers are given by the server: undefined. A
 * name that ends in a number gets the next one, a date becomes today's.
 */
export function versionAfter(current: string, taken: Iterable<string>, today: string): string | undefined {
  if (/^\d+$/.test(current)) return undefined
  const names = new Set([...taken, current])
  const date = /^\d{4}-\d{2}(-\d{2})?/.exec(current)?.[0]
  const now = date === undefined ? undefined : today.slice(0, date.length)
  if (now !== undefined && date === current) {
    if (now > current && !names.has(now)) return now
    return free(`${now > current ? now : current}-r2`, names)
  }
  // A newer day starts its own revisions.
  if (now !== undefined && now > date! && current.startsWith(`${date}-`) && !names.has(now)) return now
  return free(/\d$/.test(current) ? increased(current) : `${current}-2`, names)
}

function free(wanted: string, names: ReadonlySet<string>): string {
  let name = wanted
  while (names.has(name)) name = increased(name)
  return name
}

/** With the number at its end one higher, as long as before if it had zeros in front. */
const increased = (name: string): string =>
  name.replace(/\d+$/, (digits) => String(BigInt(digits) + 1n).padStart(digits.length, '0'))
