import type { User } from '../../accounts/user.ts'
import { indexedLength } from './index-values.ts'

/** Values of one field in the form of the search index (`index-values.ts`), in the order of their UTF-8 bytes. */
export interface SearchRange {
  /** The field's name in the index (`index-keys.ts`). */
  readonly field: string
  /** The first value. */
  readonly from: string
  /** The end, which does not belong to the range. */
  readonly to: string
}

/** A place in the results of a search, which are in the order of the first range's values, then of user ids. */
export interface SearchPosition {
  readonly value: string
  readonly userId: string
}

/** A user whose profile has values in all ranges. */
export interface ProfileSearch {
  /** The first range is read in order, and the others are looked up for each of its users. */
  readonly ranges: readonly [SearchRange, ...SearchRange[]]
  /** Only users whose id starts with this. */
  readonly idPrefix?: string
}

export interface FoundUser {
  readonly user: User
  /** The value in the first range. */
  readonly value: string
}

/** One tenant's index of searchable fields. */
export interface ProfileSearchStore {
  /** A page of results after a position. */
  list(
    search: ProfileSearch,
    page: { readonly limit: number; readonly after: SearchPosition | null },
  ): Promise<FoundUser[]>
  /** Whether the user's profile has a value in the range. */
  holds(userId: string, range: SearchRange): Promise<boolean>
}

/** No text lies between a text and its successor, because values cannot contain NUL. */
const successorOf = (text: string): string => `${text}\u0001`

/** The range of one value. */
export const exactly = (field: string, value: string): SearchRange => ({ field, from: value, to: successorOf(value) })

/** The range from `min` to `max`, both included; null leaves a side open. */
export const between = (field: string, min: string | null, max: string | null): SearchRange => ({
  field,
  from: min ?? '',
  to: max === null ? afterAll : successorOf(max),
})

/** Sorts after all sortable numbers and dates. */
const afterAll = '~'

/** The range of the values that begin with a text. */
export const beginningWith = (field: string, prefix: string): SearchRange => ({
  field,
  from: prefix,
  to: afterPrefix(prefix),
})

/** The first text in the order of UTF-8 bytes, which is that of code points, after all that begin with the prefix. */
function afterPrefix(prefix: string): string {
  const points = Array.from(prefix, (character) => character.codePointAt(0)!)
  while (points.at(-1) === 0x10ffff) points.pop()
  const last = points.pop()
  // The prefix consists of the last code point only, so no longer text than the index contains follows it.
  if (last === undefined) return '\u{10ffff}'.repeat(indexedLength + 1)
  // Surrogates are not characters.
  return String.fromCodePoint(...points, last === 0xd7ff ? 0xe000 : last + 1)
}
