import { TIME_ZONE_ALIASES } from './time-zone-aliases.ts'

/** Each known name by its lower-case form, which ICU takes too. */
let names: ReadonlyMap<string, string> | undefined

/**
 * Whether a text is the name of a time zone in its letter case: one that ICU lists, or another name of one, such as
 * `Asia/Kolkata`. ICU takes aliases in any letter case and does not tell the right one, so the aliases are listed here; one
 * that is newer than the list is accepted as ICU takes it.
 */
export function isTimeZone(name: string): boolean {
  names ??= new Map(
    [...Intl.supportedValuesOf('timeZone'), ...TIME_ZONE_ALIASES.trim().split(/\s+/)].map((known) => [
      known.toLowerCase(),
      known,
    ]),
  )
  const known = names.get(name.toLowerCase())
  return known === undefined ? isTaken(name) : known === name
}

/** Constructing a format takes 50 µs, and only names that are not listed need it. */
function isTaken(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}
