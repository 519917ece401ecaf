import { importedPasswordLimits } from '../../../contract/admin/imported-password.ts'
import { type PasswordFormat, requireForm, requireWithin } from './password-format.ts'

const { leastCost, cost: mostCost } = importedPasswordLimits.bcrypt

/** 16 bytes of salt and 23 of hash in bcrypt's base64 alphabet; the unused bits of each last digit must be zero. */
const FORM = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/

/** Milliseconds of one round of key setup. Cost c means 2^c rounds. */
const ROUND_MS = 0.03
/** The state is 4 KiB. */
const MEMORY_KIB = 8

/**
 * bcrypt, stored unchanged. `$2x$` is not supported, because it marks a broken implementation. Only the first 72 bytes of
 * the password count, until the first sign-in replaces the hash with argon2id of the whole password. A password with NUL
 * matches nothing, because implementations in C stop there and others do not. No operation accepts NUL anyway.
 */
export const bcrypt: PasswordFormat = {
  prefix: /^\$2[aby]\$/,
  open(stored) {
    const [cost] = requireForm(FORM, stored, '$2b$ and the cost in two digits, $ and 53 characters, whole')
    requireWithin('The cost of bcrypt', Number(cost), leastCost, mostCost)
    return {
      memoryKiB: MEMORY_KIB,
      workMs: 2 ** Number(cost) * ROUND_MS,
      async matches(password) {
        if (password.includes(0)) return false
        // Only services with imported hashes need it.
        const { verify } = await import('@node-rs/bcrypt')
        return verify(password, stored)
      },
    }
  },
}
