import { argon2 } from './argon2.ts'
import { bcrypt } from './bcrypt.ts'
import { digest, hmac } from './digest.ts'
import { type Matches, type PasswordFormat, UnreadableHash } from './password-format.ts'
import { pbkdf2 } from './pbkdf2.ts'
import { firebaseScrypt, scrypt } from './scrypt.ts'

/** Every kind of hash that `users.password_hash` may hold. */
const formats: readonly PasswordFormat[] = [argon2, bcrypt, scrypt, firebaseScrypt, pbkdf2, digest, hmac]

/**
 * Reads a stored text by its beginning.
 * @throws UnreadableHash for one of no known form, a malformed one, and one that would cost too much
 */
export function openStored(stored: string): Matches {
  const format = formats.find(({ prefix }) => prefix.test(stored))
  if (format === undefined)
    throw new UnreadableHash('This text is of none of the forms that are taken; any other hash is given as an object')
  return format.open(stored)
}

/**
 * Whether `password` made the stored text; its very UTF-8 is compared, not normalised. What `openStored` refuses matches
 * nothing: a row that came in some other way costs no more than an imported one may.
 */
export async function matchesStored(stored: string, password: string): Promise<boolean> {
  let matches: Matches
  try {
    matches = openStored(stored)
  } catch (error) {
    if (error instanceof UnreadableHash) return false
    throw error
  }
  return matches(Buffer.from(password, 'utf8'))
}
