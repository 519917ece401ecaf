import type { Restriction } from '../../accounts/restriction.ts'

const none: readonly never[] = Object.freeze([])

/** The list a column of JSON text holds; almost always the empty one, which costs no parsing. */
export const parseList = <T>(json: string): readonly T[] => (json === '[]' ? none : JSON.parse(json))

/** Restrictions, and those written before they had a reason and an end, when they were names alone. */
export const parseRestrictions = (json: string): readonly Restriction[] =>
  parseList<Restriction | Restriction['capability']>(json).map((restriction) =>
    typeof restriction === 'string' ? { capability: restriction, reason: null, until: null } : restriction,
  )

/** A list joined by commas, or null for none; each once and by the alphabet, as databases join in any order. */
export const splitList = <T extends string>(joined: string | null): readonly T[] =>
  joined === null ? none : [...new Set(joined.split(',') as T[])].sort()
