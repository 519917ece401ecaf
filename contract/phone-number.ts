import { createRequire } from 'node:module'
import type * as LibPhoneNumber from 'libphonenumber-js/min'
import { z } from 'zod'
import { isSoundText } from './fields/sound-text.ts'

const require = createRequire(import.meta.url)
let library: typeof LibPhoneNumber | undefined

/** The phone number library, loaded on first use instead of at startup: its metadata takes 40 to 50 ms. */
export function phoneNumbers(): typeof LibPhoneNumber {
  library ??= require('libphonenumber-js/min') as typeof LibPhoneNumber
  return library
}

/** A plus, then ASCII digits with the usual separators. Everything else is rejected, including non-ASCII digits and spaces. */
const WRITTEN = /^[\t-\r ]*(\+[0-9 ().-]{4,48})[\t-\r ]*$/
const LONGEST_INPUT = 64
/** E.164, 6.2.1: at most fifteen digits, not starting with zero. */
const E164 = /^\+[1-9][0-9]{1,14}$/

const parse = (text: string) => phoneNumbers().parsePhoneNumberFromString(text)

/**
 * The canonical form, `+33612345678` (E.164), in which a phone number is stored, compared and counted; null if it is not
 * accepted. It must begin with `+` (surrounding ASCII whitespace is ignored), contain only digits and ` ( ) . -`, and be
 * possible in its country. A trunk zero as in `+44 (0)20 …` is dropped. Idempotent.
 */
export function normalisePhone(text: string): string | null {
  const written = text.length <= LONGEST_INPUT ? WRITTEN.exec(text)?.[1] : undefined
  if (written === undefined) return null
  const parsed = parse(written)
  if (!parsed?.isPossible()) return null
  const number: string = parsed.number
  if (!E164.test(number)) return null
  // After a dropped zero there can be another one. Such a number would change with each normalisation, so it is rejected.
  return number === `+${written.replace(/[^0-9]/g, '')}` || parse(number)?.number === number ? number : null
}

/** A phone number in a body, normalised to E.164 for the handler. Messages: `Invalid string` and the given one. */
export const phoneNumberOr = (message: string) =>
  z
    .string()
    .transform((value, context) => {
      const normalised = isSoundText(value) ? normalisePhone(value) : null
      if (normalised !== null) return normalised
      context.addIssue({ code: 'custom', message: isSoundText(value) ? message : 'Invalid string' })
      return z.NEVER
    })
    .meta({ description: 'International format (E.164), such as +33612345678.' })

/** The same with the message of clients. */
export const phoneNumber = phoneNumberOr('Validation rule not met')
