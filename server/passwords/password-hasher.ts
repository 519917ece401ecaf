import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, parseOptions } from '@node-rs/argon2'
import { importedPasswordLimits } from '../../contract/imported-password.ts'
import { ServiceError } from '../service-error.ts'
import { matchesStored } from './imported/stored-password.ts'

/** Argon2id's cost, and how much of it may go on at once. The defaults are OWASP's (Password Storage Cheat Sheet). */
export interface PasswordHasherOptions {
  /** m, KiB of memory a hash; default 19 456 (19 MiB). */
  memoryKiB?: number
  /** t, passes over that memory; default 2. */
  passes?: number
  /** Hashes at work at once; default, and at most, the cores. */
  concurrency?: number
  /** Calls that may wait for their turn; default 1000. */
  maxQueue?: number
}

/** Hashes passwords off the event loop, a few at a time, the others waiting in the order they came. */
export interface PasswordHasher {
  /**
   * The password's argon2id PHC string, salted. TypeError for lone surrogates; hashed as its very UTF-8, neither cut nor
   * normalised. How long a new password must be is the contract's rule (`NewPassword`): one that came with an import and
   * is hashed again may be shorter. `PasswordHasherBusy` when the queue is full.
   */
  hash(password: string): Promise<string>
  /**
   * Whether the password made `stored`: a hash of ours, or one that was imported (`imported/`). A malformed one, and one
   * that costs more than an import may, matches nothing. `PasswordHasherBusy` when the queue is full.
   */
  verify(stored: string, password: string): Promise<boolean>
  /** Whether `stored` is weaker than what `hash` makes now, or not argon2id version 19 at all. */
  needsRehash(stored: string): boolean
  /**
   * The work of one `verify` of our own hash, for nobody: an unknown account costs what a known one does. An imported
   * hash of another kind costs what it costs, microseconds for a digest and up to two seconds at the ceilings, so until
   * its user's first sign-in has replaced it the time of a refusal tells that there is such an account.
   */
  spend(): Promise<void>
  /** Hashes begun so far. */
  readonly hashes: number
  /** Verifications begun so far, spent ones included: equal work is proved by counting, not by milliseconds. */
  readonly verifies: number
  /** Calls at work now, and calls that wait for their turn. */
  readonly working: number
  readonly waiting: number
}

/** Refused at once instead of waiting: as many calls as are allowed to wait do so already. */
export class PasswordHasherBusy extends ServiceError {
  constructor() {
    super('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 })
  }
}

const HASH_BYTES = 32
const SALT_BYTES = 16

function requireWithin(name: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new RangeError(`${name} must be a whole number from ${least} to ${most}`)
}

/** Runs at most `concurrency` works at once; a finished one hands its place to the one that waits longest. */
function createLine(concurrency: number, maxQueue: number) {
  let working = 0
  const waiting: (() => void)[] = []
  return {
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (working < concurrency) working++
      else if (waiting.length >= maxQueue) throw new PasswordHasherBusy()
      else await new Promise<void>((takeOver) => waiting.push(takeOver))
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else working--
      }
    },
    get working() {
      return working
    },
    get waiting() {
      return waiting.length
    },
  }
}

/** A hasher of these costs (RangeError for impossible ones). One a process: its line is what caps the work. */
export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const { memoryKiB = 19_456, passes = 2, concurrency = availableParallelism(), maxQueue = 1000 } = options
  // Our own hashes are verified under the ceilings of all.
  requireWithin('memoryKiB', memoryKiB, 8, importedPasswordLimits.argon2.memoryKiB)
  requireWithin('passes', passes, 1, importedPasswordLimits.argon2.passes)
  requireWithin('concurrency', concurrency, 1)
  requireWithin('maxQueue', maxQueue, 0)
  // Past the cores nothing is gained, and file work on the same thread pool stalls for 50 to 180 ms.
  const line = createLine(Math.min(concurrency, availableParallelism()), maxQueue)
  const cost = { memoryCost: memoryKiB, timeCost: passes, parallelism: 1, outputLen: HASH_BYTES }
  const base64 = (length: number) => randomBytes(length).toString('base64').replaceAll('=', '')
  // A hash of nothing: comparing with it takes the whole work, and no password is known to make it.
  const dummy = `$argon2id$v=19$m=${memoryKiB},t=${passes},p=1$${base64(SALT_BYTES)}$${base64(HASH_BYTES)}`
  let hashes = 0
  let verifies = 0

  const verifyInLine = (stored: string, password: string) =>
    line.run(() => {
      verifies++
      return matchesStored(stored, password)
    })

  return {
    async hash(password) {
      // UTF-8 makes U+FFFD of every lone surrogate: different passwords would become one.
      if (!password.isWellFormed()) throw new TypeError('A password cannot have lone surrogates')
      return line.run(() => {
        hashes++
        return hash(Buffer.from(password, 'utf8'), cost)
      })
    },
    async verify(stored, password) {
      const matches = await verifyInLine(stored, password)
      return matches && password.isWellFormed()
    },
    needsRehash(stored) {
      if (!stored.startsWith('$argon2id$v=19$')) return true
      try {
        const made = parseOptions(stored)
        const weaker = made.memoryCost < memoryKiB || made.timeCost < passes
        return weaker || made.outputLen < HASH_BYTES || made.saltLen < SALT_BYTES
      } catch {
        return true
      }
    },
    async spend() {
      await verifyInLine(dummy, 'an unknown account')
    },
    get hashes() {
      return hashes
    },
    get verifies() {
      return verifies
    },
    get working() {
      return line.working
    },
    get waiting() {
      return line.waiting
    },
  }
}
