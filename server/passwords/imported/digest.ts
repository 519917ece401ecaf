import { createHmac, hash as digestOf } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { importedPasswordLimits } from '../../../contract/admin/imported-password.ts'
import { fromStored, hashBytes, saltBytes, toStored } from './encoded-bytes.ts'
import { type HashCost, type PasswordFormat, requireForm, requireWithin, sameBytes } from './password-format.ts'

const limits = importedPasswordLimits

/** A salt and its position. Empty when there is no salt. */
export interface JoinedSalt {
  readonly bytes: Buffer
  readonly order: 'salt-first' | 'password-first'
}

/** How a fast digest is computed from a password: a stored text without its hash. */
interface Recipe extends HashCost {
  /** Bytes of the digest. */
  readonly length: number
  make(password: Buffer): Promise<Buffer>
}

const digestBytes: Readonly<Record<string, number>> = { md5: 16, sha1: 20, sha256: 32, sha512: 64 }

/** Digests computed before yielding to the event loop: well under a millisecond. */
const DIGESTS_AT_ONCE = 256
const DIGEST_MS = 0.0005
const MEMORY_KIB = 8

const join = (password: Buffer, salt: Buffer, order: string) =>
  Buffer.concat(order === 'salt-first' ? [salt, password] : [password, salt])

/** The stored text of a plain digest; `algorithm` is md5, sha1, sha256 or sha512. */
export const digestText = (algorithm: string, iterations: number, salt: JoinedSalt, hash: Buffer): string =>
  `$digest-${algorithm}$i=${iterations},o=${salt.order}$${toStored(salt.bytes)}$${toStored(hash)}`

/** The stored text of an HMAC; `algorithm` is md5, sha1, sha256 or sha512. */
export const hmacText = (algorithm: string, key: Buffer, salt: JoinedSalt, hash: Buffer): string =>
  `$hmac-${algorithm}$o=${salt.order}$${toStored(key)}$${toStored(salt.bytes)}$${toStored(hash)}`

function readDigest(recipe: string): Recipe {
  const [algorithm = '', rounds, order = '', saltText = ''] = requireForm(
    /^\$digest-(md5|sha1|sha256|sha512)\$i=(-?\d{1,16}),o=(salt-first|password-first)\$([A-Za-z0-9+/]*)$/,
    recipe,
    '$digest-sha256$i=…,o=salt-first$salt$hash',
  )
  const iterations = Number(rounds)
  requireWithin('The iterations of a digest', iterations, 1, limits.digest.iterations)
  const salt = saltBytes(saltText)
  return {
    memoryKiB: MEMORY_KIB,
    workMs: iterations * DIGEST_MS,
    length: digestBytes[algorithm]!,
    async make(password) {
      let bytes = digestOf(algorithm, join(password, salt, order), 'buffer')
      for (let done = 1; done < iterations; done++) {
        if (done % DIGESTS_AT_ONCE === 0) await setImmediate()
        bytes = digestOf(algorithm, bytes, 'buffer')
      }
      return bytes
    },
  }
}

function readHmac(recipe: string): Recipe {
  const [algorithm = '', order = '', keyText = '', saltText = ''] = requireForm(
    /^\$hmac-(md5|sha1|sha256|sha512)\$o=(salt-first|password-first)\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]*)$/,
    recipe,
    '$hmac-sha256$o=salt-first$key$salt$hash',
  )
  const key = fromStored(keyText, 'The key')
  requireWithin('The length of the key in bytes', key.length, 1, limits.key.bytes)
  const salt = saltBytes(saltText)
  return {
    memoryKiB: MEMORY_KIB,
    workMs: DIGEST_MS,
    length: digestBytes[algorithm]!,
    make: async (password) =>
      createHmac(algorithm, key)
        .update(join(password, salt, order))
        .digest(),
  }
}

/** Reads a stored fast digest without its hash, as a wrapped digest contains it. @throws UnreadableHash */
export const readRecipe = (recipe: string): Recipe => (hmac.prefix.test(recipe) ? readHmac(recipe) : readDigest(recipe))

/** Reads a whole fast digest. @throws UnreadableHash */
export function readFastDigest(stored: string): {
  readonly text: string
  readonly recipe: Recipe
  readonly hash: Buffer
} {
  const [text = '', hashText = ''] = requireForm(/^(.*)\$([A-Za-z0-9+/]*)$/, stored, '$digest-…$salt$hash')
  const recipe = readRecipe(text)
  return { text, recipe, hash: hashBytes(hashText, recipe.length) }
}

function open(stored: string) {
  const { recipe, hash } = readFastDigest(stored)
  const { memoryKiB, workMs } = recipe
  return { memoryKiB, workMs, matches: async (password: Buffer) => sameBytes(await recipe.make(password), hash) }
}

/**
 * A plain digest: `$digest-<algorithm>$i=<iterations>,o=<order>$<salt>$<hash>`. The first iteration
 * hashes password and salt; each further one hashes the bytes of the previous digest.
 */
export const digest: PasswordFormat = { prefix: /^\$digest-/, open }

/** An HMAC (RFC 2104) of password and salt: `$hmac-<algorithm>$o=<order>$<key>$<salt>$<hash>`. */
export const hmac: PasswordFormat = { prefix: /^\$hmac-/, open }

/** Whether a stored text is a fast digest that is not wrapped. The query `fastDigests` selects the same texts. */
export const isFastDigest = (stored: string): boolean => digest.prefix.test(stored) || hmac.prefix.test(stored)
