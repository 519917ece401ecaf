import { timingSafeEqual } from 'node:crypto'

/** Whether these bytes (the UTF-8 of a password) are what was hashed. */
export type Matches = (password: Buffer) => Promise<boolean>

/**
 * What one hash takes. `workMs` is an estimate for a fast core, rounded down: a hash that is estimated to cost as much as
 * ours costs at least as much on any machine. The queue corrects the estimates by what it measures.
 */
export interface HashCost {
  readonly memoryKiB: number
  readonly workMs: number
}

/** A stored hash that can be compared with a password. */
export interface OpenedHash extends HashCost {
  readonly matches: Matches
}

/** One kind of stored hash, told by the beginning of its text. */
export interface PasswordFormat {
  /** How its texts begin, `$argon2id$` for example; no two formats share one. */
  readonly prefix: RegExp
  /**
   * Reads a stored text of that beginning. Nothing is computed yet, and what is returned does not throw.
   * @throws UnreadableHash for a malformed text, and for one that would cost too much
   */
  open(stored: string): OpenedHash
}

/** A hash that cannot be taken. The message says why, in plain words, without anything of the hash, salt or key. */
export class UnreadableHash extends Error {
  override name = 'UnreadableHash'
}

/** The groups of `form` in `text`. @throws UnreadableHash saying the `expected` form */
export function requireForm(form: RegExp, text: string, expected: string): string[] {
  const match = form.exec(text)
  if (match === null) throw new UnreadableHash(`This is not of the form ${expected}`)
  return match.slice(1).map((group) => group ?? '')
}

/** @throws UnreadableHash that names the bounds */
export function requireWithin(what: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new UnreadableHash(`${what} must be ${least} to ${most}, not ${value}`)
}

/** Compared in constant time; of different lengths they are never the same (CWE-208). */
export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
