import { ImportedPassword, problemIn } from '../../../contract/admin/imported-password.ts'
import { validationMessage } from '../../../contract/validation-messages.ts'
import { digestText, hmacText, type JoinedSalt } from './digest.ts'
import { decode, type Encoding } from './encoded-bytes.ts'
import { storedTextOf } from './foreign-text.ts'
import { UnreadableHash } from './password-format.ts'
import { pbkdf2Text } from './pbkdf2.ts'
import { firebaseText, scryptText } from './scrypt.ts'
import { openStored } from './stored-password.ts'

/**
 * Converts the hash of an import row (`ImportedPassword`) to the text to store, which can be verified. Otherwise returns
 * the problem, which names the field or the limit and never contains the hash, salt or key. Never throws.
 * @param hashMemoryMiB memory that running hashes may use together; a hash that needs more by itself is refused
 */
export function readImportedPassword(value: unknown, hashMemoryMiB: number): { stored: string } | { problem: string } {
  const parsed = ImportedPassword.safeParse(value, { error: validationMessage })
  if (!parsed.success) return { problem: problemIn(parsed.error.issues) }
  try {
    const stored = typeof parsed.data === 'string' ? storedTextOf(parsed.data) : textOf(parsed.data)
    const neededMiB = Math.ceil(openStored(stored).memoryKiB / 1024)
    if (neededMiB > hashMemoryMiB) {
      throw new UnreadableHash(
        `This hash needs ${neededMiB} MiB of memory, but TENANTRY_HASH_MEMORY allows ${hashMemoryMiB} MiB`,
      )
    }
    return { stored }
  } catch (error) {
    if (error instanceof UnreadableHash) return { problem: error.message }
    throw error
  }
}

function textOf(given: Exclude<ImportedPassword, string>): string {
  switch (given.algorithm) {
    case 'firebase-scrypt': {
      const bytes = (field: 'hash' | 'salt' | 'signerKey' | 'saltSeparator') => decode(given[field], 'base64', field)
      return firebaseText({
        ...given,
        hash: bytes('hash'),
        salt: bytes('salt'),
        signerKey: bytes('signerKey'),
        saltSeparator: bytes('saltSeparator'),
      })
    }
    case 'scrypt':
      return scryptText(given, decode(given.salt, given.saltEncoding, 'salt'), hashOf(given))
    case 'pbkdf2': {
      const salt = decode(given.salt, given.saltEncoding, 'salt')
      return pbkdf2Text(given.digest, given.iterations, salt, hashOf(given))
    }
    case 'md5':
    case 'sha1':
    case 'sha256':
    case 'sha512':
      return digestText(given.algorithm, given.iterations ?? 1, saltOf(given), hashOf(given))
    default: {
      const key = decode(given.key, given.keyEncoding, 'key')
      return hmacText(given.algorithm.replace('hmac-', ''), key, saltOf(given), hashOf(given))
    }
  }
}

const hashOf = ({ hash, encoding }: { readonly hash: string; readonly encoding: Encoding }): Buffer =>
  decode(hash, encoding, 'hash')

interface OptionalSalt {
  readonly salt?: string | undefined
  readonly saltEncoding?: Encoding | undefined
  readonly order?: JoinedSalt['order'] | undefined
}

/** @throws UnreadableHash unless all three are given, or none is */
function saltOf({ salt, saltEncoding, order }: OptionalSalt): JoinedSalt {
  if (salt !== undefined && saltEncoding !== undefined && order !== undefined) {
    return { bytes: decode(salt, saltEncoding, 'salt'), order }
  }
  if (salt === undefined && saltEncoding === undefined && order === undefined) {
    return { bytes: Buffer.alloc(0), order: 'salt-first' }
  }
  throw new UnreadableHash('Give salt, saltEncoding and order together, or none of them')
}
