import type { Restriction } from '../../accounts/restriction.ts'

const none: readonly never[] = Object.freeze([])

/** Parses a JSON list; it is almost always empty, which needs no parsing. */
export const parseList = <T>(json: string): readonly T[] => (json === '[]' ? none : JSON.parse(json))

/** Earlier versions stored names only, without reason and end. */
export const parseRestrictions = (json: string): readonly Restriction[] =>
  parseList<Restriction | Restriction['capability']>(json).map((restriction) =>
    typeof restriction === 'string' ? { capability: restriction, reason: null, until: null } : restriction,
  )

/**
 * Splits a list joined by commas; null is the empty list. Sorted without duplicates, because databases join in any
 * order.
 */
export const splitList = <T extends string>(joined: string | null): readonly T[] =>
  joined === null ? none : [...new Set(joined.split(',') as T[])].sort()
