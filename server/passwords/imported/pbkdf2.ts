import { pbkdf2 as derivePbkdf2 } from 'node:crypto'
import { importedPasswordLimits } from '../../../contract/admin/imported-password.ts'
import { hashBytes, saltBytes, toStored } from './encoded-bytes.ts'
import { type PasswordFormat, requireForm, requireWithin, sameBytes } from './password-format.ts'

const limits = importedPasswordLimits.pbkdf2

/** Supported digests, with their length in bytes. */
const digestBytes: Readonly<Record<string, number>> = { sha1: 20, sha256: 32, sha512: 64 }

/** Milliseconds of an iteration on a processor with instructions for the digest. */
const ITERATION_MS = 0.0001
const MEMORY_KIB = 8

const derive = (password: Buffer, salt: Buffer, iterations: number, length: number, digest: string) =>
  new Promise<Buffer>((resolve, reject) => {
    derivePbkdf2(password, salt, iterations, length, digest, (error, key) =>
      error === null ? resolve(key) : reject(error),
    )
  })

/** The stored text of a PBKDF2 hash; `digest` is sha1, sha256 or sha512. */
export const pbkdf2Text = (digest: string, iterations: number, salt: Buffer, hash: Buffer): string =>
  `$pbkdf2-${digest}$i=${iterations}$${toStored(salt)}$${toStored(hash)}`

/** PBKDF2 with HMAC (RFC 8018): `$pbkdf2-<digest>$i=<iterations>$<salt>$<hash>`. */
export const pbkdf2: PasswordFormat = {
  prefix: /^\$pbkdf2-/,
  open(stored) {
    const [digest = '', rounds, saltText = '', hashText = ''] = requireForm(
      /^\$pbkdf2-(sha1|sha256|sha512)\$i=(-?\d{1,16})\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]*)$/,
      stored,
      '$pbkdf2-sha256$iterations$salt$hash, or with sha1 or sha512',
    )
    const iterations = Number(rounds)
    const salt = saltBytes(saltText)
    const hash = hashBytes(hashText)
    const blocks = Math.ceil(hash.length / digestBytes[digest]!)
    requireWithin('The iterations of PBKDF2', iterations, 1, limits.iterations)
    requireWithin('The iterations of PBKDF2 over all blocks of the hash', iterations * blocks, 1, limits.iterations)
    return {
      memoryKiB: MEMORY_KIB,
      workMs: iterations * blocks * ITERATION_MS,
      matches: async (password) => sameBytes(await derive(password, salt, iterations, hash.length, digest), hash),
    }
  },
}
