/**
 * Parsers of ISO 8601 dates and times: `Date.parse` accepts more than the contract allows and turns 30 February into a day
 * of March. Each parser returns a number that orders values of its kind, or undefined when the text is invalid.
 */

const DAY_MS = 86_400_000

/** `YYYY-MM-DD`, years 0001 to 9999, a real day of the Gregorian calendar, as the number YYYYMMDD. */
export function readDate(text: string): number | undefined {
  return text.length === 10 ? readDateAt(text) : undefined
}

/** `YYYY-MM`, years 0001 to 9999, as the number YYYYMM. */
export function readMonth(text: string): number | undefined {
  const first = text.length === 7 ? readDateAt(`${text}-01`) : undefined
  return first && (first - 1) / 100
}

/** `YYYY-Www`, years 0001 to 9999, weeks 01 to 52 or 53 by the year (ISO 8601), as the number YYYYWW. */
export function readWeek(text: string): number | undefined {
  const year = readDigits(text, 0, 4)
  const week = readDigits(text, 6, 8)
  if (text.length !== 8 || text[4] !== '-' || text[5] !== 'W') return undefined
  return year >= 1 && week >= 1 && week <= weeksInYear(year) ? year * 100 + week : undefined
}

/**
 * `YYYY-MM-DDTHH:MM:SS[.fraction](Z|±HH:MM)` (RFC 3339, capital T and Z, 1 to 9 digits of fraction), as epoch
 * milliseconds with a fraction. Second 60 is rejected: neither JavaScript nor the databases can represent it.
 */
export function readDatetime(text: string): number | undefined {
  const date = readDateAt(text)
  if (date === undefined || text[10] !== 'T' || text[16] !== ':') return undefined
  const zone = text.endsWith('Z') ? text.length - 1 : text.length - 6
  const time = readTimeBetween(text, 11, zone)
  const offset = readOffset(text, zone)
  if (time === undefined || offset === undefined) return undefined
  return epochDay(date) * DAY_MS + time - offset
}

/** `HH:MM` or `HH:MM:SS[.fraction]`, 1 to 9 digits of fraction, as milliseconds since midnight. */
export function readTime(text: string): number | undefined {
  return readTimeBetween(text, 0, text.length)
}

/** Whole years from `birth` (YYYYMMDD) to the UTC calendar day of `now`; negative when `birth` is in the future. */
export function ageInYears(birth: number, now: number): number {
  // The upper digits of a difference of YYYYMMDD are whole years, less one when the birthday is still ahead this year.
  return Math.floor((utcDate(now) - birth) / 10_000)
}

/** The UTC calendar day of an epoch-millisecond instant, as the number YYYYMMDD. */
function utcDate(now: number): number {
  const day = new Date(now)
  return day.getUTCFullYear() * 10_000 + (day.getUTCMonth() + 1) * 100 + day.getUTCDate()
}

function readDateAt(text: string): number | undefined {
  if (text[4] !== '-' || text[7] !== '-') return undefined
  const year = readDigits(text, 0, 4)
  const month = readDigits(text, 5, 7)
  const day = readDigits(text, 8, 10)
  // Comparisons with NaN are false, so the negated condition also rejects NaN.
  if (!(year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month))) return undefined
  return year * 10_000 + month * 100 + day
}

function readTimeBetween(text: string, from: number, to: number): number | undefined {
  const hour = readDigits(text, from, from + 2)
  const minute = readDigits(text, from + 3, from + 5)
  if (text[from + 2] !== ':' || !(hour <= 23 && minute <= 59)) return undefined
  const minutes = (hour * 60 + minute) * 60_000
  if (to === from + 5) return minutes
  const second = readDigits(text, from + 6, from + 8)
  if (text[from + 5] !== ':' || to < from + 8 || !(second <= 59)) return undefined
  if (to === from + 8) return minutes + second * 1000
  const fraction = to - from - 9
  const part = readDigits(text, from + 9, to)
  if (text[from + 8] !== '.' || !(fraction >= 1 && fraction <= 9 && part >= 0)) return undefined
  return minutes + second * 1000 + part / 10 ** (fraction - 3)
}

/** The offset from UTC that starts at `at` and ends the text, in milliseconds. */
function readOffset(text: string, at: number): number | undefined {
  if (text[at] === 'Z') return 0
  const sign = text[at] === '+' ? 1 : text[at] === '-' ? -1 : undefined
  const hour = readDigits(text, at + 1, at + 3)
  const minute = readDigits(text, at + 4, at + 6)
  if (sign === undefined || text[at + 3] !== ':' || !(hour <= 23 && minute <= 59)) return undefined
  return sign * (hour * 60 + minute) * 60_000
}

/** The number in ASCII digits from `from` to `to`; NaN when there is any other character or the text is too short. */
function readDigits(text: string, from: number, to: number): number {
  let number = 0
  for (let index = from; index < to; index++) {
    const digit = text.charCodeAt(index) - 48
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    number = number * 10 + digit
  }
  return number
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** A year has 53 weeks if it begins or ends with a Thursday. */
function weeksInYear(year: number): number {
  // 1970 began with one.
  const isThursday = (day: number) => epochDay(year * 10_000 + day) % 7 === 0
  return isThursday(101) || isThursday(1231) ? 53 : 52
}

/** Days from 1970-01-01 to a date given as YYYYMMDD. */
function epochDay(date: number): number {
  const day = new Date(0)
  day.setUTCFullYear(Math.floor(date / 10_000), Math.floor((date % 10_000) / 100) - 1, date % 100)
  return day.getTime() / DAY_MS
}
