import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, parseOptions, verify } from '@node-rs/argon2'
import { importedPasswordLimits } from '../../contract/imported-password.ts'
import { type HashCaller, HashQueue } from './hash-queue.ts'
import { argon2Cost } from './imported/argon2.ts'
import { isFastDigest, readFastDigest } from './imported/digest.ts'
import type { OpenedHash } from './imported/password-format.ts'
import { readStored } from './imported/stored-password.ts'
import { wrappedBytes, wrappedText } from './imported/wrapped-digest.ts'

export { ClientGone, type HashCaller, PasswordHasherBusy } from './hash-queue.ts'

/** Argon2id's cost, and how much of it may go on at once. The defaults are OWASP's (Password Storage Cheat Sheet). */
export interface PasswordHasherOptions {
  /** m, KiB of memory a hash; default 19 456 (19 MiB). */
  memoryKiB?: number
  /** t, passes over that memory; default 2. */
  passes?: number
  /** Hashes at work at once; default, and at most, the cores. */
  concurrency?: number
  /** MiB that running hashes may use together; default 256. */
  budgetMiB?: number
  /** A request that would wait for longer is refused at once; default 3000 ms. */
  maxWaitMs?: number
  /** Called when a stored hash needs more memory than the budget; it matches nothing. */
  onOverBudget?: (details: { tenantId: string; neededMiB: number; budgetMiB: number }) => void
}

/**
 * Hashes passwords off the event loop. Hashes wait in one queue that is fair by tenant (`hash-queue.ts`): each operation
 * that hashes throws `PasswordHasherBusy` when the wait would be too long, and `ClientGone` when the client leaves
 * before its turn.
 */
export interface PasswordHasher {
  /**
   * The password's argon2id PHC string, salted. TypeError for lone surrogates; hashed as its very UTF-8, neither cut nor
   * normalised. How long a new password must be is the contract's rule (`NewPassword`): one that came with an import and
   * is hashed again may be shorter.
   */
  hash(password: string, caller: HashCaller): Promise<string>
  /**
   * Whether the password made `stored`: a hash of ours, or an imported one (`imported/`). A malformed hash, one above
   * the ceilings of an import, and one above the memory budget match nothing. A refusal never takes less work than
   * `spend`: when `stored` is estimated to cost less than our own argon2id, `spend`'s work is added.
   */
  verify(stored: string, password: string, caller: HashCaller): Promise<boolean>
  /** Whether `stored` is weaker than what `hash` makes now, or not argon2id version 19 at all. */
  needsRehash(stored: string): boolean
  /**
   * The work of one `verify` of our own hash, for an account that does not exist or has no password. An unknown account
   * costs what a known one does; a known one may cost more, but not less, while its imported hash is of a costlier kind.
   * Its first sign-in replaces that hash.
   */
  spend(caller: HashCaller): Promise<void>
  /**
   * The fast digest `stored` with argon2id over it (`imported/wrapped-digest.ts`); null when it is not a readable fast
   * digest. Waits until no request waits for a hash; one at a time, without a limit on the wait.
   */
  wrap(stored: string, caller: HashCaller): Promise<string | null>
  /** MiB that running hashes may use together. An imported hash that needs more by itself cannot be taken. */
  readonly budgetMiB: number
  /** Hashes begun so far. */
  readonly hashes: number
  /** Verifications begun so far, spent ones included: equal work is proved by counting, not by milliseconds. */
  readonly verifies: number
  /** Verifications so far to which `spend`'s work was added. */
  readonly padded: number
  /** Hashes at work now, and requests that wait for their turn. */
  readonly working: number
  readonly waiting: number
}

const HASH_BYTES = 32
const SALT_BYTES = 16
const KIB = 1024

function requireWithin(name: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new RangeError(`${name} must be a whole number from ${least} to ${most}`)
}

/** A hasher of these costs (RangeError for impossible ones). One per process, because its queue bounds the work. */
export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const { memoryKiB = 19_456, passes = 2, concurrency = availableParallelism() } = options
  const { budgetMiB = 256, maxWaitMs = 3000, onOverBudget = () => {} } = options
  // Our own hashes are verified under the ceilings of all.
  requireWithin('memoryKiB', memoryKiB, 8, importedPasswordLimits.argon2.memoryKiB)
  requireWithin('passes', passes, 1, importedPasswordLimits.argon2.passes)
  requireWithin('concurrency', concurrency, 1)
  requireWithin('budgetMiB', budgetMiB, Math.ceil(memoryKiB / KIB))
  requireWithin('maxWaitMs', maxWaitMs, 0)
  const queue = new HashQueue({
    // More than the cores gains nothing, and stalls file work on the same thread pool for 50 to 180 ms.
    concurrency: Math.min(concurrency, availableParallelism()),
    memoryKiB: budgetMiB * KIB,
    maxWaitMs,
  })
  const own = argon2Cost(memoryKiB, passes)
  const cost = { memoryCost: memoryKiB, timeCost: passes, parallelism: 1, outputLen: HASH_BYTES }
  const base64 = (length: number) => randomBytes(length).toString('base64').replaceAll('=', '')
  // A hash of nothing: comparing with it takes the whole work, and no password is known to make it.
  const dummy = `$argon2id$v=19$m=${memoryKiB},t=${passes},p=1$${base64(SALT_BYTES)}$${base64(HASH_BYTES)}`
  let hashes = 0
  let verifies = 0
  let padded = 0

  /** Reads a stored hash that may be worked on; null for any that matches nothing. */
  function open(stored: string, { tenantId }: HashCaller): OpenedHash | null {
    const opened = readStored(stored)
    if (opened === null || opened.memoryKiB <= budgetMiB * KIB) return opened
    onOverBudget({ tenantId, neededMiB: Math.ceil(opened.memoryKiB / KIB), budgetMiB })
    return null
  }

  const spendWork = () => verify(dummy, 'an unknown account')

  return {
    async hash(password, caller) {
      // UTF-8 makes U+FFFD of every lone surrogate: different passwords would become one.
      if (!password.isWellFormed()) throw new TypeError('A password cannot have lone surrogates')
      return queue.run(own, caller, () => {
        hashes++
        return hash(Buffer.from(password, 'utf8'), cost)
      })
    },
    async verify(stored, password, caller) {
      const opened = open(stored, caller)
      const isCheap = opened === null || opened.workMs < own.workMs
      const work = {
        memoryKiB: Math.max(opened?.memoryKiB ?? 0, isCheap ? own.memoryKiB : 0),
        workMs: (opened?.workMs ?? 0) + (isCheap ? own.workMs : 0),
      }
      return queue.run(work, caller, async () => {
        verifies++
        const matches = opened !== null && (await opened.matches(Buffer.from(password, 'utf8')))
        if (matches && password.isWellFormed()) return true
        // A match shows in the answer anyway.
        if (isCheap) {
          padded++
          await spendWork()
        }
        return false
      })
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
    async spend(caller) {
      await queue.run(own, caller, () => {
        verifies++
        return spendWork()
      })
    },
    async wrap(stored, caller) {
      if (!isFastDigest(stored) || readStored(stored) === null) return null
      const digest = readFastDigest(stored)
      return queue.runIdle(own, caller, async () => {
        hashes++
        return wrappedText(digest.text, await hash(wrappedBytes(digest.hash), cost))
      })
    },
    budgetMiB,
    get hashes() {
      return hashes
    },
    get verifies() {
      return verifies
    },
    get padded() {
      return padded
    },
    get working() {
      return queue.working
    },
    get waiting() {
      return queue.waiting
    },
  }
}
