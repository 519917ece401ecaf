import { normaliseEmail } from '../../contract/email-address.ts'
import type { AddressSearch } from '../accounts/user.ts'

/** What a text searches for: the beginning of an address, of a number or of an id. */
export type SearchedText = Pick<AddressSearch, 'kind' | 'prefix'> | { readonly idPrefix: string }

/** A plus, digits and the usual separators; a trunk zero as in `+44 (0)20` is dropped. */
const numberStart = /^\+[0-9 ().-]*$/
/** Ids begin with 0 until the year 3084. A text in their alphabet that begins with another digit can only be an address. */
const idStart = /^0[0-9A-HJKMNP-TV-Z]{0,25}$/i

/** Reads the search text by its form; null when nothing can begin with it. */
export function readSearchedText(text: string): SearchedText | null {
  const trimmed = text.trim()
  if (trimmed === '') return null
  if (trimmed.startsWith('+')) {
    if (!numberStart.test(trimmed)) return null
    return { kind: 'phone', prefix: trimmed.replaceAll('(0)', '').replaceAll(/[^+0-9]/g, '') }
  }
  if (idStart.test(trimmed)) return { idPrefix: trimmed.toUpperCase() }
  return { kind: 'email', prefix: normaliseEmail(trimmed) ?? beginningOfAddress(trimmed) }
}

/**
 * The beginning of an address as it is stored. The encoding of an internationalised label depends on its end, so that an
 * unfinished domain with one is left out.
 */
function beginningOfAddress(text: string): string {
  const lower = text.toLowerCase()
  const at = lower.indexOf('@') + 1
  const isAscii = /^[\x21-\x7e]*$/.test(lower.slice(at))
  return at === 0 || isAscii ? lower : lower.slice(0, at)
}
