import { importedPasswordLimits as limits } from '../../../contract/imported-password.ts'
import { requireWithin, UnreadableHash } from './password-format.ts'

/** How bytes are written in an import. */
export type Encoding = 'utf8' | 'hex' | 'base64'

/** The bytes of a stored field: base64 without padding (RFC 4648 4). */
export const fromStored = (text: string, what: string): Buffer => decode(text, 'base64', what)

/** A stored field of these bytes: base64 without padding, as PHC strings have it. */
export const toStored = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/**
 * The bytes that `text` stands for. Hexadecimal of either case; base64 of either alphabet, padded or not, whole to the
 * last bit, so that a cut or altered text is told.
 * @throws UnreadableHash
 */
export function decode(text: string, encoding: Encoding, what: string): Buffer {
  switch (encoding) {
    case 'utf8':
      if (!text.isWellFormed()) throw new UnreadableHash(`${what} has lone surrogates`)
      return Buffer.from(text, 'utf8')
    case 'hex':
      if (!/^(?:[0-9A-Fa-f]{2})*$/.test(text)) throw new UnreadableHash(`${what} is not hexadecimal`)
      return Buffer.from(text, 'hex')
    case 'base64': {
      const standard = text.replaceAll('-', '+').replaceAll('_', '/')
      const bytes = Buffer.from(standard, 'base64')
      const whole = bytes.toString('base64')
      if (standard !== whole && standard !== whole.replaceAll('=', '')) {
        throw new UnreadableHash(`${what} is not base64, or not whole`)
      }
      return bytes
    }
  }
}

/**
 * The stored hash: `length` bytes, or within the bounds of any. Derived keys may have any length, and the first bytes of
 * one are one too: that bytes were cut off shows below the least length alone.
 * @throws UnreadableHash
 */
export function hashBytes(text: string, length?: number): Buffer {
  const hash = fromStored(text, 'The hash')
  const { leastBytes, bytes } = limits.hash
  if (length === undefined) requireWithin('The length of the hash in bytes', hash.length, leastBytes, bytes)
  else if (hash.length !== length) throw new UnreadableHash(`The hash must have ${length} bytes, not ${hash.length}`)
  return hash
}

/** The stored salt, which may be empty. @throws UnreadableHash */
export function saltBytes(text: string, leastBytes = 0): Buffer {
  const salt = fromStored(text, 'The salt')
  requireWithin('The length of the salt in bytes', salt.length, leastBytes, limits.salt.bytes)
  return salt
}
