import { createCipheriv, scrypt as deriveScrypt } from 'node:crypto'
import { importedPasswordLimits } from '../../../contract/admin/imported-password.ts'
import { hashBytes, saltBytes, toStored } from './encoded-bytes.ts'
import {
  type HashCost,
  type PasswordFormat,
  requireForm,
  requireWithin,
  sameBytes,
  UnreadableHash,
} from './password-format.ts'

const limits = importedPasswordLimits.scrypt
const firebaseLimits = importedPasswordLimits.firebaseScrypt
const MIB = 2 ** 20
/** With this exponent, even r = 1 needs the maximum memory. */
const MOST_EXPONENT = Math.log2((limits.memoryMiB * MIB) / 128)

/** Milliseconds to fill and read one MiB. */
const MIB_MS = 1.2

/** N, r and p of RFC 7914. */
interface ScryptCost {
  readonly cost: number
  readonly blockSize: number
  readonly parallelization: number
}

const derive = (
  password: Buffer,
  salt: Buffer,
  { cost: N, blockSize: r, parallelization: p }: ScryptCost,
  length: number,
) =>
  new Promise<Buffer>((resolve, reject) => {
    const options = { N, r, p, maxmem: 2 * limits.memoryMiB * MIB }
    deriveScrypt(password, salt, length, options, (error, key) => (error === null ? resolve(key) : reject(error)))
  })

/** @throws UnreadableHash above the limits of memory and work, and for parameters that RFC 7914 6 excludes */
function requireAffordable({ cost, blockSize, parallelization }: ScryptCost): void {
  requireWithin('The block size (r) of scrypt', blockSize, 1, limits.blockSize)
  requireWithin('The parallelization (p) of scrypt', parallelization, 1, limits.parallelization)
  requireWithin('The memory of scrypt (128 · N · r), in MiB,', mebibytes(cost * blockSize), 1, limits.memoryMiB)
  requireWithin(
    'The work of scrypt (128 · N · r · p), in MiB,',
    mebibytes(cost * blockSize * parallelization),
    1,
    limits.workMiB,
  )
  if (cost >= 2 ** (16 * blockSize))
    throw new UnreadableHash('The cost (N) of scrypt is too large for its block size (r)')
}

const mebibytes = (blocks: number) => Math.ceil((128 * blocks) / MIB)

const costOf = ({ cost, blockSize, parallelization }: ScryptCost): HashCost => ({
  memoryKiB: Math.ceil((128 * cost * blockSize) / 1024),
  workMs: ((128 * cost * blockSize * parallelization) / MIB) * MIB_MS,
})

/** The stored text of a scrypt hash. @throws UnreadableHash unless N is a power of two */
export function scryptText({ cost, blockSize, parallelization }: ScryptCost, salt: Buffer, hash: Buffer): string {
  const exponent = Math.log2(cost)
  if (!Number.isInteger(exponent) || exponent < 1)
    throw new UnreadableHash('The cost (N) of scrypt must be a power of two and at least 2')
  return `$scrypt$ln=${exponent},r=${blockSize},p=${parallelization}$${toStored(salt)}$${toStored(hash)}`
}

/** scrypt (RFC 7914): `$scrypt$ln=<log2 N>,r=<r>,p=<p>$<salt>$<hash>`, which is also the PHC form. */
export const scrypt: PasswordFormat = {
  prefix: /^\$scrypt\$/,
  open(stored) {
    const [exponent, r, p, saltText = '', hashText = ''] = requireForm(
      /^\$scrypt\$ln=(-?\d{1,16}),r=(-?\d{1,16}),p=(-?\d{1,16})\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]*)$/,
      stored,
      '$scrypt$ln=…,r=…,p=…$salt$hash',
    )
    requireWithin('The cost of scrypt as a power of two (ln)', Number(exponent), 1, MOST_EXPONENT)
    const cost = { cost: 2 ** Number(exponent), blockSize: Number(r), parallelization: Number(p) }
    requireAffordable(cost)
    const salt = saltBytes(saltText)
    const hash = hashBytes(hashText)
    return {
      ...costOf(cost),
      matches: async (password) => sameBytes(await derive(password, salt, cost, hash.length), hash),
    }
  },
}

/** The values of Firebase's export and of its project's password hash parameters. */
interface FirebaseHash {
  readonly hash: Buffer
  readonly salt: Buffer
  readonly signerKey: Buffer
  readonly saltSeparator: Buffer
  readonly rounds: number
  readonly memoryCost: number
}

/**
 * The stored text of a Firebase hash. Firebase's hash is the project's signer key, encrypted with the key that scrypt
 * derives (github.com/firebase/scrypt). The cipher is AES-256 in counter mode, so hash ⊕ signer key is its key stream. Only
 * the key stream is stored, not the project's secret.
 * @throws UnreadableHash
 */
export function firebaseText({ hash, salt, signerKey, saltSeparator, rounds, memoryCost }: FirebaseHash): string {
  if (hash.length !== signerKey.length) {
    throw new UnreadableHash(
      `hash and signerKey must have the same length, not ${hash.length} and ${signerKey.length} bytes`,
    )
  }
  const keyStream = Buffer.from(hash.map((byte, index) => byte ^ signerKey[index]!))
  const wholeSalt = Buffer.concat([salt, saltSeparator])
  return `$firebase-scrypt$ln=${memoryCost},r=${rounds}$${toStored(wholeSalt)}$${toStored(keyStream)}`
}

/** Firebase's scrypt: `$firebase-scrypt$ln=<mem_cost>,r=<rounds>$<salt and separator>$<key stream>`. */
export const firebaseScrypt: PasswordFormat = {
  prefix: /^\$firebase-scrypt\$/,
  open(stored) {
    const [exponent, rounds, saltText = '', streamText = ''] = requireForm(
      /^\$firebase-scrypt\$ln=(-?\d{1,16}),r=(-?\d{1,16})\$([A-Za-z0-9+/]*)\$([A-Za-z0-9+/]*)$/,
      stored,
      '$firebase-scrypt$ln=…,r=…$salt$hash',
    )
    requireWithin('The rounds of Firebase scrypt', Number(rounds), 1, firebaseLimits.rounds)
    requireWithin('The memory cost of Firebase scrypt', Number(exponent), 1, firebaseLimits.memoryCost)
    const cost = { cost: 2 ** Number(exponent), blockSize: Number(rounds), parallelization: 1 }
    const salt = saltBytes(saltText)
    const keyStream = hashBytes(streamText)
    return {
      ...costOf(cost),
      async matches(password) {
        const key = await derive(password, salt, cost, 32)
        const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
        return sameBytes(cipher.update(Buffer.alloc(keyStream.length)), keyStream)
      },
    }
  },
}
