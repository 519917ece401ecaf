/** Crockford's base 32: no I, L, O, U. Source: ULID specification. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

/** When the event with this id happened, in epoch milliseconds: the first ten characters of the ULID. NaN for other texts. */
export function eventTime(id: string): number {
  if (!/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(id)) return Number.NaN
  return [...id.slice(0, 10)].reduce((time, digit) => time * 32 + digits.indexOf(digit), 0)
}
