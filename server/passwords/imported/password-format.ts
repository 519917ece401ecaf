import { timingSafeEqual } from 'node:crypto'

/** Whether the hash was computed from these bytes (the UTF-8 of a password). */
type Matches = (password: Buffer) => Promise<boolean>

/**
 * The cost of one hash. `workMs` is an estimate for a fast core, rounded down: a hash with the same estimate as ours costs
 * at least as much on any machine. The queue corrects the estimates with measured times.
 */
export interface HashCost {
  readonly memoryKiB: number
  readonly workMs: number
}

/** A stored hash that can be compared with a password. */
export interface OpenedHash extends HashCost {
  readonly matches: Matches
}

/** A format of stored hashes, identified by its prefix. */
export interface PasswordFormat {
  /** For example `$argon2id$`. Each stored text matches the prefix of at most one format. */
  readonly prefix: RegExp
  /**
   * Parses a stored text with that prefix, without computing anything. The result does not throw.
   * @throws UnreadableHash for a malformed text, and for one above the cost limits
   */
  open(stored: string): OpenedHash
}

/** An unsupported or malformed hash. The message gives the reason and contains nothing of the hash, salt or key. */
export class UnreadableHash extends Error {
  override name = 'UnreadableHash'
}

/** The groups of `form` in `text`. @throws UnreadableHash that names the `expected` form */
export function requireForm(form: RegExp, text: string, expected: string): string[] {
  const match = form.exec(text)
  if (match === null) throw new UnreadableHash(`The hash does not have the form ${expected}`)
  return match.slice(1).map((group) => group ?? '')
}

/** @throws UnreadableHash that names the bounds */
export function requireWithin(what: string, value: number, least: number, most: number): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new UnreadableHash(`${what} must be ${least} to ${most}, not ${value}`)
}

/** Compares in constant time (CWE-208). */
export const sameBytes = (a: Buffer, b: Buffer): boolean => a.length === b.length && timingSafeEqual(a, b)
