import { domainToASCII, domainToUnicode } from 'node:url'
import { z } from 'zod'
import { isSoundText } from './fields/sound-text.ts'

const LONGEST_ADDRESS = 254 // RFC 5321 4.5.3.1.3, less the angle brackets
const LONGEST_LOCAL_PART = 64 // RFC 5321 4.5.3.1.1
/** No spelling of a valid address is longer; longer input is rejected without parsing. */
const LONGEST_INPUT = 1024

/** RFC 5322 3.2.3 dot-atom. Quoted local parts and comments are rejected: mail software disagrees on their meaning. */
const DOT_ATOM = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
/** Two or more labels of RFC 1123 2.1: letters, digits and inner hyphens, 1 to 63 of them. */
const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
/** A last label that URL parsers read as the end of an IPv4 address, including `0x7f` (WHATWG URL, 3.5). */
const NUMERIC_LAST_LABEL = /\.(?:[0-9]+|0x[0-9a-f]*)$/
const ALL_ASCII = /^[\x21-\x7e]*$/
/** ASCII characters that a URL parser changes: `%`, `/`, `:`, `@`, `[`, … */
const FOREIGN_ASCII = /[^A-Za-z0-9.\-\u0080-\u{10ffff}]/u

/** Lowercases each character separately: for a whole word, the final sigma would differ from IDNA's. */
const lowerCase = (text: string) => Array.from(text, (character) => character.toLowerCase()).join('')

/**
 * An internationalised domain as ASCII (UTS 46); null unless its spelling is canonical, ignoring case. Look-alikes are
 * never mapped to ASCII (threat C21): the Kelvin sign, full-width letters and ligatures are not NFKC-stable; ideographic
 * dots, soft hyphens, zero-width and direction marks do not survive the round trip.
 */
function idnToAscii(domain: string): string | null {
  if (FOREIGN_ASCII.test(domain) || domain.normalize('NFKC') !== domain) return null
  const ascii = domainToASCII(domain)
  const asciiLabels = ascii.split('.')
  const labels = lowerCase(domain).split('.')
  if (labels.length !== asciiLabels.length) return null
  for (const [index, label] of labels.entries()) {
    const encoded = asciiLabels[index]!
    if (!label.startsWith('xn--') && ALL_ASCII.test(label)) {
      if (encoded !== label) return null
      continue
    }
    const decoded = domainToUnicode(encoded)
    if (!encoded.startsWith('xn--') || (label !== encoded && label !== decoded)) return null
    // An `xn--` label is checked too: `xn--a` decodes to nothing, others decode to ASCII or a look-alike.
    if (ALL_ASCII.test(decoded) || decoded.normalize('NFKC') !== decoded || domainToASCII(decoded) !== encoded)
      return null
    if (decoded.startsWith('-') || decoded.endsWith('-')) return null // RFC 5891 4.2.3.1
  }
  return ascii
}

/**
 * The canonical form of a domain: lowercase ASCII, IDN labels as `xn--`; null if it is not accepted. Most domains are
 * ASCII and skip the IDN code.
 */
export function normaliseDomain(domain: string): string | null {
  const lower = ALL_ASCII.test(domain) ? domain.toLowerCase() : null
  const ascii = lower === null || lower.includes('xn--') ? idnToAscii(domain) : lower
  return ascii !== null && HOST_NAME.test(ascii) && !NUMERIC_LAST_LABEL.test(ascii) ? ascii : null
}

/**
 * The canonical form in which an e-mail address is stored, compared and counted; null if it is not accepted. ASCII
 * whitespace is trimmed, letters are lowercased, IDN labels become `xn--`. Requires an ASCII dot-atom, exactly one `@`, a
 * domain of two or more labels, and at most 254 bytes; no quoted local parts, comments or IP literals (threat C22).
 *
 * Idempotent and linear. Local parts are case-insensitive, as at every large provider.
 */
export function normaliseEmail(text: string): string | null {
  const address = trimAsciiWhitespace(text)
  if (address.length > LONGEST_INPUT) return null
  const at = address.indexOf('@')
  if (at < 1 || at > LONGEST_LOCAL_PART || address.includes('@', at + 1)) return null
  const local = address.slice(0, at)
  if (!DOT_ATOM.test(local)) return null
  const domain = normaliseDomain(address.slice(at + 1))
  if (domain === null) return null
  const normalised = `${local.toLowerCase()}@${domain}`
  return normalised.length <= LONGEST_ADDRESS ? normalised : null
}

/** Unlike `trim()`, keeps U+FEFF, no-break and other Unicode spaces, which are then rejected. Linear, unlike a regex. */
function trimAsciiWhitespace(text: string): string {
  const isSpace = (code: number) => code === 0x20 || (code >= 0x09 && code <= 0x0d)
  let start = 0
  let end = text.length
  while (start < end && isSpace(text.charCodeAt(start))) start++
  while (end > start && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(start, end)
}

/** An e-mail address in a body, normalised for the handler. Messages: `Invalid string`, `Invalid email`. */
export const emailAddress = z
  .string()
  .transform((value, context) => {
    const normalised = isSoundText(value) ? normaliseEmail(value) : null
    if (normalised !== null) return normalised
    context.addIssue({ code: 'custom', message: isSoundText(value) ? 'Invalid email' : 'Invalid string' })
    return z.NEVER
  })
  .meta({ format: 'email', maxLength: LONGEST_ADDRESS })
