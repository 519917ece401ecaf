import { argon2 } from './argon2.ts'
import { bcrypt } from './bcrypt.ts'
import { digest, hmac } from './digest.ts'
import { type OpenedHash, type PasswordFormat, UnreadableHash } from './password-format.ts'
import { pbkdf2 } from './pbkdf2.ts'
import { firebaseScrypt, scrypt } from './scrypt.ts'
import { wrappedDigest } from './wrapped-digest.ts'

/** Every kind of hash that `users.password_hash` may hold. */
const formats: readonly PasswordFormat[] = [argon2, bcrypt, scrypt, firebaseScrypt, pbkdf2, digest, hmac, wrappedDigest]

/**
 * Reads a stored text by its beginning.
 * @throws UnreadableHash for one of no known form, a malformed one, and one that would cost too much
 */
export function openStored(stored: string): OpenedHash {
  const format = formats.find(({ prefix }) => prefix.test(stored))
  if (format === undefined)
    throw new UnreadableHash('This text is of none of the forms that are taken; any other hash is given as an object')
  return format.open(stored)
}

/**
 * Reads a stored text to compare it; null for what `openStored` refuses, which matches nothing: a row that was not
 * imported may not cost more than an imported one.
 */
export function readStored(stored: string): OpenedHash | null {
  try {
    return openStored(stored)
  } catch (error) {
    if (error instanceof UnreadableHash) return null
    throw error
  }
}
