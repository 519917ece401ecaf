import { verify } from '@node-rs/bcrypt'
import { importedPasswordLimits } from '../../../contract/imported-password.ts'
import { type PasswordFormat, requireForm, requireWithin } from './password-format.ts'

const { leastCost, cost: mostCost } = importedPasswordLimits.bcrypt

/** 16 bytes of salt and 23 of hash in bcrypt's own base64; the last digit of each has spare bits, and they are zero. */
const FORM = /^\$2[aby]\$(\d\d)\$[./A-Za-z0-9]{21}[.Oeu][./A-Za-z0-9]{30}[.CGKOSWaeimquy26]$/

/** Milliseconds of the key setup that cost 0 would do once. */
const ROUND_MS = 0.03
/** Its state is 4 KiB. */
const MEMORY_KIB = 8

/**
 * bcrypt, kept as it comes; `$2x$` is left out, the mark of a broken implementation. It hashes the first 72 bytes and no
 * more, and so does this: what follows them never counted, and counts from the first sign-in on, as argon2id takes
 * passwords whole. Implementations differ on NUL, where those in C stop: a password with one matches nothing. No
 * operation takes one anyway.
 */
export const bcrypt: PasswordFormat = {
  prefix: /^\$2[aby]\$/,
  open(stored) {
    const [cost] = requireForm(FORM, stored, '$2b$ and the cost in two digits, $ and 53 characters, whole')
    requireWithin('The cost of bcrypt', Number(cost), leastCost, mostCost)
    return {
      memoryKiB: MEMORY_KIB,
      workMs: 2 ** Number(cost) * ROUND_MS,
      matches: async (password) => !password.includes(0) && verify(password, stored),
    }
  },
}
