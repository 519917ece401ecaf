import { decode } from './encoded-bytes.ts'
import { pbkdf2Text } from './pbkdf2.ts'
import { scryptText } from './scrypt.ts'

const bytesOf = (text: string, what: string) => decode(text, 'base64', what)

/** Formats of other systems, with the conversion to ours. */
const forms: readonly (readonly [RegExp, (...groups: string[]) => string])[] = [
  // passlib writes `.` for `+` and omits the name of sha1; PHC writes `i=`, and `l=` for the length of the hash.
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
  // Django uses the text of a salt as its bytes.
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
 * The text to store: formats of passlib and Django are converted, all others are unchanged.
 * @throws UnreadableHash for an invalid salt or hash
 */
export function storedTextOf(text: string): string {
  for (const [form, rewrite] of forms) {
    const match = form.exec(text)
    if (match !== null) return rewrite(...match.slice(1))
  }
  return text
}
