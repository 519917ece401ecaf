import { decode } from './encoded-bytes.ts'
import { pbkdf2Text } from './pbkdf2.ts'
import { scryptText } from './scrypt.ts'

const bytesOf = (text: string, what: string) => decode(text, 'base64', what)

/** Ways of writing a hash that say the same as ours, and how each is told in ours. */
const forms: readonly (readonly [RegExp, (...groups: string[]) => string])[] = [
  // passlib writes `.` for `+` and names sha1 by no name; PHC writes `i=`, and `l=`, the length of the hash.
  [
    /^\$pbkdf2(?:-(sha1|sha256|sha512))?\$(?:i=)?(\d{1,15})(?:,l=\d+)?\$([A-Za-z0-9+/.]*)\$([A-Za-z0-9+/.]+)$/,
    (digest = 'sha1', iterations = '', salt = '', hash = '') =>
      pbkdf2Text(
        digest,
        Number(iterations),
        bytesOf(salt.replaceAll('.', '+'), 'The salt'),
        bytesOf(hash.replaceAll('.', '+'), 'The hash'),
      ),
  ],
  // Django hashes the text of its salts.
  [
    /^pbkdf2_(sha1|sha256)\$(\d{1,15})\$([^$]+)\$([^$]+)$/,
    (digest = '', iterations = '', salt = '', hash = '') =>
      pbkdf2Text(digest, Number(iterations), decode(salt, 'utf8', 'The salt'), bytesOf(hash, 'The hash')),
  ],
  [
    /^scrypt\$(\d{1,15})\$([^$]+)\$(\d{1,15})\$(\d{1,15})\$([^$]+)$/,
    (cost = '', salt = '', blockSize = '', parallelization = '', hash = '') =>
      scryptText(
        { cost: Number(cost), blockSize: Number(blockSize), parallelization: Number(parallelization) },
        decode(salt, 'utf8', 'The salt'),
        bytesOf(hash, 'The hash'),
      ),
  ],
  [/^(?:argon2|bcrypt\$)(\$.+)$/, (hash = '') => hash],
]

/**
 * A text as it is stored: those of passlib and Django told in our grammar, any other as it is.
 * @throws UnreadableHash for a salt or hash that is not whole
 */
export function storedTextOf(text: string): string {
  for (const [form, rewrite] of forms) {
    const match = form.exec(text)
    if (match !== null) return rewrite(...match.slice(1))
  }
  return text
}
