import { createHmac, hash as digestOf } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import { importedPasswordLimits } from '../../../contract/imported-password.ts'
import { fromStored, hashBytes, saltBytes, toStored } from './encoded-bytes.ts'
import { type PasswordFormat, requireForm, requireWithin, sameBytes } from './password-format.ts'

const limits = importedPasswordLimits

/** A salt and where it stands; without a salt, an empty one. */
export interface JoinedSalt {
  readonly bytes: Buffer
  readonly order: 'salt-first' | 'password-first'
}

const digestBytes: Readonly<Record<string, number>> = { md5: 16, sha1: 20, sha256: 32, sha512: 64 }

/** Digests between two turns of the event loop: well under a millisecond. */
const DIGESTS_AT_ONCE = 256

const join = (password: Buffer, salt: Buffer, order: string) =>
  Buffer.concat(order === 'salt-first' ? [salt, password] : [password, salt])

/** The stored text of a plain digest; `algorithm` is md5, sha1, sha256 or sha512. */
export const digestText = (algorithm: string, iterations: number, salt: JoinedSalt, hash: Buffer): string =>
  `$digest-${algorithm}$i=${iterations},o=${salt.order}$${toStored(salt.bytes)}$${toStored(hash)}`

/**
 * A plain digest: `$digest-<algorithm>$i=<iterations>,o=<order>$<salt>$<hash>`. The first digest is of password and
 * salt, each further one of the bytes of the one before.
 */
export const digest: PasswordFormat = {
  prefix: /^\$digest-/,
  open(stored) {
    const [algorithm = '', rounds, order = '', saltText = '', hashText = ''] = requireForm(
      /^\$digest-(md5|sha1|sha256|sha512)\$i=(-?\d{1,16}),o=(salt-first|password-first)\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]*)$/,
      stored,
      '$digest-sha256$i=…,o=salt-first$salt$hash',
    )
    const iterations = Number(rounds)
    requireWithin('The iterations of a digest', iterations, 1, limits.digest.iterations)
    const salt = saltBytes(saltText)
    const hash = hashBytes(hashText, digestBytes[algorithm])
    return async (password) => {
      let bytes = digestOf(algorithm, join(password, salt, order), 'buffer')
      for (let done = 1; done < iterations; done++) {
        if (done % DIGESTS_AT_ONCE === 0) await setImmediate()
        bytes = digestOf(algorithm, bytes, 'buffer')
      }
      return sameBytes(bytes, hash)
    }
  },
}

/** The stored text of an HMAC; `algorithm` is md5, sha1, sha256 or sha512. */
export const hmacText = (algorithm: string, key: Buffer, salt: JoinedSalt, hash: Buffer): string =>
  `$hmac-${algorithm}$o=${salt.order}$${toStored(key)}$${toStored(salt.bytes)}$${toStored(hash)}`

/** An HMAC (RFC 2104) of password and salt: `$hmac-<algorithm>$o=<order>$<key>$<salt>$<hash>`. */
export const hmac: PasswordFormat = {
  prefix: /^\$hmac-/,
  open(stored) {
    const [algorithm = '', order = '', keyText = '', saltText = '', hashText = ''] = requireForm(
      /^\$hmac-(md5|sha1|sha256|sha512)\$o=(salt-first|password-first)\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]*)$/,
      stored,
      '$hmac-sha256$o=salt-first$key$salt$hash',
    )
    const key = fromStored(keyText, 'The key')
    requireWithin('The length of the key in bytes', key.length, 1, limits.key.bytes)
    const salt = saltBytes(saltText)
    const hash = hashBytes(hashText, digestBytes[algorithm])
    return async (password) =>
      sameBytes(
        createHmac(algorithm, key)
          .update(join(password, salt, order))
          .digest(),
        hash,
      )
  },
}
