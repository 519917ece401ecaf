import { importedPasswordLimits as limits } from '../../../contract/admin/imported-password.ts'
import { requireWithin, UnreadableHash } from './password-format.ts'

/** Encodings of bytes in an import. */
export type Encoding = 'utf8' | 'hex' | 'base64'

/** The bytes of a stored field: base64 without padding (RFC 4648 4). */
export const fromStored = (text: string, what: string): Buffer => decode(text, 'base64', what)

/** Bytes as a stored field: base64 without padding, as in PHC strings. */
export const toStored = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/**
 * Decodes `text`. Hexadecimal in either case; base64 in either alphabet, with or without padding. Base64 must be canonical
 * to the last bit, so that truncated or altered text is detected.
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
        throw new UnreadableHash(`${what} is not valid base64`)
      }
      return bytes
    }
  }
}

/**
 * The stored hash: `length` bytes, or any length within the limits. The first bytes of a derived key are a valid derived
 * key, so a truncated one is only detected below the minimum length.
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
