import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { hash, type Options, parseOptions, verify } from '@node-rs/argon2'
import { importedPasswordLimits } from '../../contract/admin/imported-password.ts'
import { type HashCaller, HashQueue } from './hash-queue.ts'
import { argon2Cost } from './imported/argon2.ts'
import { isFastDigest, readFastDigest } from './imported/digest.ts'
import { toStored } from './imported/encoded-bytes.ts'
import type { HashCost, OpenedHash } from './imported/password-format.ts'
import { readStored } from './imported/stored-password.ts'
import { wrappedBytes, wrappedText } from './imported/wrapped-digest.ts'

export { ClientGone, type HashCaller, PasswordHasherBusy } from './hash-queue.ts'

/** The cost of argon2id, and bounds on concurrent hashing. The defaults are OWASP's (Password Storage Cheat Sheet). */
export interface PasswordHasherOptions {
  /** m, KiB of memory per hash; default 19 456 (19 MiB). */
  memoryKiB?: number
  /** t, passes over that memory; default 2. */
  passes?: number
  /** Hashes that run in parallel. The number of cores is the default and the maximum. */
  concurrency?: number
  /** MiB that running hashes may use together; default 256. */
  budgetMiB?: number
  /** A request with a longer expected wait is refused before it waits; default 3000 ms. */
  maxWaitMs?: number
  /** Called when a stored hash needs more memory than the budget; it matches nothing. */
  onOverBudget?: (details: { tenantId: string; neededMiB: number; budgetMiB: number }) => void
}

/**
 * Hashes passwords off the event loop. Hashes wait in one queue that is fair by tenant (`hash-queue.ts`): each operation
 * that hashes throws `PasswordHasherBusy` when the wait would be too long, and `ClientGone` when the client disconnects
 * before its turn.
 */
export interface PasswordHasher {
  /**
   * The password's salted argon2id PHC string. Hashes the UTF-8 bytes, neither truncated nor normalised; TypeError for
   * lone surrogates. The length of new passwords is the contract's rule (`NewPassword`): a password that came with an
   * import and is hashed again may be shorter.
   */
  hash(password: string, caller: HashCaller): Promise<string>
  /**
   * Whether the password matches `stored`: one of our hashes, or an imported one (`imported/`). A malformed hash, one
   * above the limits of an import, and one above the memory budget match nothing. A refusal takes at least the work of
   * `spend`: when `stored` is estimated to cost less than our own argon2id, that work is added.
   */
  verify(stored: string, password: string, caller: HashCaller): Promise<boolean>
  /** Whether `stored` is weaker than what `hash` returns now, or not argon2id version 19. */
  needsRehash(stored: string): boolean
  /**
   * The work of one `verify` of our own hash, for an account that does not exist or has no password. An existing account
   * never costs less. It costs more while its imported hash has a costlier format; its first sign-in replaces that hash.
   */
  spend(caller: HashCaller): Promise<void>
  /**
   * Puts argon2id over the fast digest `stored` (`imported/wrapped-digest.ts`); null when `stored` is not a readable fast
   * digest. Waits until no request waits for a hash, without a limit on the wait; one at a time.
   */
  wrap(stored: string, caller: HashCaller): Promise<string | null>
  /** MiB that running hashes may use together. An imported hash that needs more by itself is refused. */
  readonly budgetMiB: number
  /** Hashes started so far. */
  readonly hashes: number
  /** Verifications started so far, including `spend`. Tests prove equal work by counting these, not by measuring time. */
  readonly verifies: number
  /** Verifications so far to which the work of `spend` was added. */
  readonly padded: number
  /** Hashes that run now. */
  readonly working: number
  /** Requests that wait for their turn. */
  readonly waiting: number
}

const HASH_BYTES = 32
const SALT_BYTES = 16
const KIB = 1024

const ignore = () => {}

/** A hasher of this cost. Create one per process, because its queue bounds the work. @throws RangeError */
export function createPasswordHasher(options: PasswordHasherOptions = {}): PasswordHasher {
  const { memoryKiB = 19_456, passes = 2, concurrency = availableParallelism() } = options
  const { budgetMiB = 256, maxWaitMs = 3000, onOverBudget = ignore } = options
  // The limits of imports apply to every hash that is verified, including ours.
  requireWithin('memoryKiB', memoryKiB, 8, importedPasswordLimits.argon2.memoryKiB)
  requireWithin('passes', passes, 1, importedPasswordLimits.argon2.passes)
  requireWithin('concurrency', concurrency, 1)
  requireWithin('budgetMiB', budgetMiB, Math.ceil(memoryKiB / KIB))
  requireWithin('maxWaitMs', maxWaitMs, 0)
  return new Argon2idHasher({ memoryKiB, passes, concurrency, budgetMiB, maxWaitMs, onOverBudget })
}

function requireWithin(name: string, value: number, least: number, most = Number.MAX_SAFE_INTEGER): void {
  if (Number.isInteger(value) && value >= least && value <= most) return
  throw new RangeError(`${name} must be a whole number from ${least} to ${most}`)
}

/** Its fields are `private` and not `#private`, so that tests can replace single methods with `Object.create`. */
class Argon2idHasher implements PasswordHasher {
  private readonly options: Required<PasswordHasherOptions>
  private readonly queue: HashQueue
  /** The estimated cost of one of our hashes. */
  private readonly cost: HashCost
  private readonly parameters: Options
  /** A random hash: comparing with it takes the full work, and no known password matches it. */
  private readonly dummy: string
  private readonly counts = { hashes: 0, verifies: 0, padded: 0 }

  constructor(options: Required<PasswordHasherOptions>) {
    const { memoryKiB, passes, concurrency, budgetMiB, maxWaitMs } = options
    this.options = options
    // More than the cores gains nothing, and stalls file work on the same thread pool for 50 to 180 ms.
    const threads = Math.min(concurrency, availableParallelism())
    this.queue = new HashQueue({ concurrency: threads, memoryKiB: budgetMiB * KIB, maxWaitMs })
    this.cost = argon2Cost(memoryKiB, passes)
    this.parameters = { memoryCost: memoryKiB, timeCost: passes, parallelism: 1, outputLen: HASH_BYTES }
    this.dummy = `$argon2id$v=19$m=${memoryKiB},t=${passes},p=1$${randomBase64(SALT_BYTES)}$${randomBase64(HASH_BYTES)}`
  }

  get budgetMiB(): number {
    return this.options.budgetMiB
  }

  get hashes(): number {
    return this.counts.hashes
  }

  get verifies(): number {
    return this.counts.verifies
  }

  get padded(): number {
    return this.counts.padded
  }

  get working(): number {
    return this.queue.working
  }

  get waiting(): number {
    return this.queue.waiting
  }

  async hash(password: string, caller: HashCaller): Promise<string> {
    // UTF-8 replaces every lone surrogate with U+FFFD: different passwords would become the same.
    if (!password.isWellFormed()) throw new TypeError('A password cannot have lone surrogates')
    return this.queue.run(this.cost, caller, () => this.argon2id(Buffer.from(password, 'utf8')))
  }

  async verify(stored: string, password: string, caller: HashCaller): Promise<boolean> {
    const opened = this.open(stored, caller)
    const isCheap = opened === null || opened.workMs < this.cost.workMs
    const work = {
      memoryKiB: Math.max(opened?.memoryKiB ?? 0, isCheap ? this.cost.memoryKiB : 0),
      workMs: (opened?.workMs ?? 0) + (isCheap ? this.cost.workMs : 0),
    }
    return this.queue.run(work, caller, async () => {
      this.counts.verifies++
      const matches = opened !== null && (await opened.matches(Buffer.from(password, 'utf8')))
      // A match needs no padding: the answer shows it anyway.
      if (matches && password.isWellFormed()) return true
      if (isCheap) {
        this.counts.padded++
        await this.verifyDummy()
      }
      return false
    })
  }

  needsRehash(stored: string): boolean {
    if (!stored.startsWith('$argon2id$v=19$')) return true
    try {
      const made = parseOptions(stored)
      const weaker = made.memoryCost < this.options.memoryKiB || made.timeCost < this.options.passes
      return weaker || made.outputLen < HASH_BYTES || made.saltLen < SALT_BYTES
    } catch {
      return true
    }
  }

  async spend(caller: HashCaller): Promise<void> {
    await this.queue.run(this.cost, caller, () => {
      this.counts.verifies++
      return this.verifyDummy()
    })
  }

  async wrap(stored: string, caller: HashCaller): Promise<string | null> {
    if (!isFastDigest(stored) || readStored(stored) === null) return null
    const { text, hash: digest } = readFastDigest(stored)
    return this.queue.runIdle(this.cost, caller, async () =>
      wrappedText(text, await this.argon2id(wrappedBytes(digest))),
    )
  }

  private argon2id(bytes: Buffer): Promise<string> {
    this.counts.hashes++
    return hash(bytes, this.parameters)
  }

  private verifyDummy(): Promise<boolean> {
    return verify(this.dummy, 'an unknown account')
  }

  /** Reads a stored hash; null when it matches nothing or needs more memory than the budget. */
  private open(stored: string, { tenantId }: HashCaller): OpenedHash | null {
    const { budgetMiB, onOverBudget } = this.options
    const opened = readStored(stored)
    if (opened === null || opened.memoryKiB <= budgetMiB * KIB) return opened
    onOverBudget({ tenantId, neededMiB: Math.ceil(opened.memoryKiB / KIB), budgetMiB })
    return null
  }
}

const randomBase64 = (bytes: number) => toStored(randomBytes(bytes))
