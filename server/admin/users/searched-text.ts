import { normaliseEmail } from '../../../contract/email-address.ts'
import { pastedText } from '../../../contract/pasted-text.ts'
import type { AddressSearch } from '../../accounts/user.ts'

/** What a text searches for: the beginning of an address, of a number or of an id. */
type SearchedText = Pick<AddressSearch, 'kind' | 'prefix'> | { readonly idPrefix: string }

/** What people write between digits, also what a page or a messenger adds: dashes, other spaces, invisible characters. */
const separators = /[\s().\p{Pd}\p{Cf}]/gu
/** Ids begin with 0 until the year 3084. A text in their alphabet that begins with another digit can only be an address. */
const idStart = /^0[0-9A-HJKMNP-TV-Z]{0,25}$/i

/** Reads the search text by its form; null when nothing can begin with it. */
export function readSearchedText(text: string): SearchedText | null {
  const trimmed = pastedText(text)
  if (trimmed === '') return null
  if (/^[+\uff0b]/.test(trimmed)) {
    // A trunk zero as in `+44 (0)20` is dropped.
    const number = trimmed.normalize('NFKC').replaceAll('(0)', '').replaceAll(separators, '')
    return /^\+[0-9]*$/.test(number) ? { kind: 'phone', prefix: number } : null
  }
  if (idStart.test(trimmed)) return { idPrefix: trimmed.toUpperCase() }
  return { kind: 'email', prefix: normaliseEmail(trimmed) ?? beginningOfAddress(trimmed) }
}

/**
 * The beginning of an address as it is stored, where only ASCII letters have a case: others that become ASCII in lower case
 * are in no address. The encoding of an internationalised label depends on its end, so that an unfinished domain with one is
 * left out.
 */
function beginningOfAddress(text: string): string {
  const lower = text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase())
  const at = lower.indexOf('@') + 1
  const isAscii = /^[\x21-\x7e]*$/.test(lower.slice(at))
  return at === 0 || isAscii ? lower : lower.slice(0, at)
}
