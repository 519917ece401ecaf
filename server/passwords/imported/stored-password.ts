import { argon2 } from './argon2.ts'
import { bcrypt } from './bcrypt.ts'
import { digest, hmac } from './digest.ts'
import { type OpenedHash, type PasswordFormat, UnreadableHash } from './password-format.ts'
import { pbkdf2 } from './pbkdf2.ts'
import { firebaseScrypt, scrypt } from './scrypt.ts'
import { wrappedDigest } from './wrapped-digest.ts'

/** Every format that `users.password_hash` may contain. */
const formats: readonly PasswordFormat[] = [argon2, bcrypt, scrypt, firebaseScrypt, pbkdf2, digest, hmac, wrappedDigest]

/**
 * Parses a stored text in the format of its prefix.
 * @throws UnreadableHash for an unknown format, a malformed text, and one above the cost limits
 */
export function openStored(stored: string): OpenedHash {
  const format = formats.find(({ prefix }) => prefix.test(stored))
  if (format === undefined)
    throw new UnreadableHash('Unknown hash format; give other hashes as an object with algorithm')
  return format.open(stored)
}

/**
 * Parses a stored text to compare it; null when `openStored` refuses it, so that it matches nothing. The cost limits of an
 * import apply to rows that were stored in other ways, too.
 */
export function readStored(stored: string): OpenedHash | null {
  try {
    return openStored(stored)
  } catch (error) {
    if (error instanceof UnreadableHash) return null
    throw error
  }
}
