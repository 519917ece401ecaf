import { verify } from '@node-rs/argon2'
import { importedPasswordLimits } from '../../../contract/admin/imported-password.ts'
import { hashBytes, saltBytes } from './encoded-bytes.ts'
import { type HashCost, type PasswordFormat, requireForm, requireWithin } from './password-format.ts'

const limits = importedPasswordLimits.argon2

/**
 * Without `v`, the version is 16, as in the reference implementation. Numbers have no leading zeros, as in PHC strings: the
 * library throws for them.
 */
const FORM =
  /^\$argon2(?:id|i|d)\$(?:v=(?:16|19)\$)?m=(0|[1-9]\d{0,14}),t=(0|[1-9]\d{0,14}),p=(0|[1-9]\d{0,14})\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

/** The shortest salt of argon2 (RFC 9106 3.1). */
const LEAST_SALT_BYTES = 8

/** Milliseconds to fill one KiB of memory once. */
const KIB_MS = 0.0005
/** Minimum milliseconds of a hash off the event loop. */
const LEAST_MS = 0.2

/** The cost of argon2. Lanes are filled sequentially, so their number does not matter. */
export const argon2Cost = (memoryKiB: number, passes: number): HashCost => ({
  memoryKiB,
  workMs: LEAST_MS + memoryKiB * passes * KIB_MS,
})

/** Argon2 (RFC 9106) as PHC strings: our own hashes and those of other systems, stored unchanged. */
export const argon2: PasswordFormat = {
  prefix: /^\$argon2(?:id|i|d)\$/,
  open(stored) {
    const [memory, passes, lanes, salt = '', hash = ''] = requireForm(
      FORM,
      stored,
      '$argon2id$v=19$m=…,t=…,p=…$salt$hash',
    )
    requireWithin('The parallelism (p) of argon2', Number(lanes), 1, limits.parallelism)
    requireWithin('The memory (m) of argon2, in KiB,', Number(memory), 8 * Number(lanes), limits.memoryKiB)
    requireWithin('The passes (t) of argon2', Number(passes), 1, limits.passes)
    saltBytes(salt, LEAST_SALT_BYTES)
    hashBytes(hash)
    return { ...argon2Cost(Number(memory), Number(passes)), matches: (password) => verify(stored, password) }
  },
}
