import assert from 'node:assert/strict'
import { createCipheriv, hash as digestOf, pbkdf2Sync, scryptSync } from 'node:crypto'
import { test } from 'node:test'
import { hashSync } from '@node-rs/argon2'
import { matchesStored } from './matches-stored.testkit.ts'
import { firebaseSample } from './published-hashes.testkit.ts'
import { readImportedPassword } from './read-imported-password.ts'
import { openStored } from './stored-password.ts'
import { wrappedText } from './wrapped-digest.ts'

const b64 = (length: number) => Buffer.alloc(length, 'k').toString('base64').replaceAll('=', '')
const hex = (length: number) => Buffer.alloc(length, 'k').toString('hex')

const argon2 = (m: number, t: number, p: number, salt = 16, hash = 32) =>
  `$argon2id$v=19$m=${m},t=${t},p=${p}$${b64(salt)}$${b64(hash)}`
const bcrypt = (cost: string) => `$2b$${cost}$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW`
const written = { hash: hex(32), encoding: 'hex', salt: 'salt', saltEncoding: 'utf8' } as const
const scrypt = (cost: number, blockSize: number, parallelization: number) =>
  ({ algorithm: 'scrypt', ...written, cost, blockSize, parallelization }) as const
const pbkdf2 = (iterations: number, length = 32) =>
  ({ algorithm: 'pbkdf2', digest: 'sha256', ...written, hash: hex(length), iterations }) as const
const digest = (iterations: number, length = 16) =>
  ({ algorithm: 'md5', hash: hex(length), encoding: 'hex', iterations }) as const
const hmac = (key: number) =>
  ({ algorithm: 'hmac-md5', hash: hex(16), encoding: 'hex', key: hex(key), keyEncoding: 'hex' }) as const
const salted = (length: number) => ({ ...pbkdf2(1), salt: hex(length), saltEncoding: 'hex' }) as const
const firebase = (rounds: number, memoryCost: number) => ({ ...firebaseSample, rounds, memoryCost })

/** A value at the limit, a value just beyond it, and the problem reported for the latter. */
const bounds: readonly (readonly [taken: unknown, refused: unknown, problem: string])[] = [
  [argon2(262_144, 1, 1), argon2(262_145, 1, 1), 'The memory (m) of argon2, in KiB, must be 8 to 262144, not 262145'],
  [argon2(32, 1, 4), argon2(31, 1, 4), 'The memory (m) of argon2, in KiB, must be 32 to 262144, not 31'],
  [argon2(8, 16, 1), argon2(8, 17, 1), 'The passes (t) of argon2 must be 1 to 16, not 17'],
  [argon2(8, 1, 1), argon2(8, 0, 1), 'The passes (t) of argon2 must be 1 to 16, not 0'],
  [argon2(128, 1, 16), argon2(136, 1, 17), 'The parallelism (p) of argon2 must be 1 to 16, not 17'],
  [argon2(8, 1, 1, 8), argon2(8, 1, 1, 7), 'The length of the salt in bytes must be 8 to 256, not 7'],
  [argon2(8, 1, 1, 256), argon2(8, 1, 1, 257), 'The length of the salt in bytes must be 8 to 256, not 257'],
  [argon2(8, 1, 1, 16, 512), argon2(8, 1, 1, 16, 513), 'The length of the hash in bytes must be 16 to 512, not 513'],
  [bcrypt('14'), bcrypt('15'), 'The cost of bcrypt must be 4 to 14, not 15'],
  [bcrypt('04'), bcrypt('03'), 'The cost of bcrypt must be 4 to 14, not 3'],
  [scrypt(2, 1, 1), scrypt(1, 1, 1), 'The cost (N) of scrypt must be a power of two and at least 2'],
  [scrypt(1024, 8, 1), scrypt(1023, 8, 1), 'The cost (N) of scrypt must be a power of two and at least 2'],
  [
    scrypt(2 ** 18, 8, 1),
    scrypt(2 ** 18, 9, 1),
    'The memory of scrypt (128 · N · r), in MiB, must be 1 to 256, not 288',
  ],
  [
    scrypt(2 ** 15, 8, 16),
    scrypt(2 ** 16, 8, 9),
    'The work of scrypt (128 · N · r · p), in MiB, must be 1 to 512, not 576',
  ],
  [scrypt(2, 64, 1), scrypt(2, 65, 1), 'The block size (r) of scrypt must be 1 to 64, not 65'],
  [scrypt(2, 1, 16), scrypt(2, 1, 17), 'The parallelization (p) of scrypt must be 1 to 16, not 17'],
  [scrypt(2, 1, 1), scrypt(2, 1, -1), 'The parallelization (p) of scrypt must be 1 to 16, not -1'],
  [scrypt(2 ** 15, 1, 1), scrypt(2 ** 16, 1, 1), 'The cost (N) of scrypt is too large for its block size (r)'],
  [scrypt(2 ** 20, 2, 1), scrypt(2 ** 40, 2, 1), 'The cost of scrypt as a power of two (ln) must be 1 to 21, not 40'],
  [firebase(8, 14), firebase(9, 14), 'The rounds of Firebase scrypt must be 1 to 8, not 9'],
  [firebase(8, 14), firebase(8, 15), 'The memory cost of Firebase scrypt must be 1 to 14, not 15'],
  [firebase(1, 1), firebase(0, 1), 'The rounds of Firebase scrypt must be 1 to 8, not 0'],
  [firebase(1, 1), firebase(1, 0), 'The memory cost of Firebase scrypt must be 1 to 14, not 0'],
  [pbkdf2(2_000_000), pbkdf2(2_000_001), 'The iterations of PBKDF2 must be 1 to 2000000, not 2000001'],
  [pbkdf2(1), pbkdf2(0), 'The iterations of PBKDF2 must be 1 to 2000000, not 0'],
  [
    pbkdf2(1_000_000, 64),
    pbkdf2(1_000_000, 65),
    'The iterations of PBKDF2 over all blocks of the hash must be 1 to 2000000, not 3000000',
  ],
  [pbkdf2(1, 16), pbkdf2(1, 15), 'The length of the hash in bytes must be 16 to 512, not 15'],
  [pbkdf2(1, 512), pbkdf2(1, 513), 'The length of the hash in bytes must be 16 to 512, not 513'],
  [salted(256), salted(257), 'The length of the salt in bytes must be 0 to 256, not 257'],
  [digest(8192), digest(8193), 'The iterations of a digest must be 1 to 8192, not 8193'],
  [digest(1), digest(0), 'The iterations of a digest must be 1 to 8192, not 0'],
  [digest(1), digest(1, 15), 'The hash must have 16 bytes, not 15'],
  [digest(1), digest(1, 0), 'The hash must have 16 bytes, not 0'],
  [hmac(1), hmac(0), 'The length of the key in bytes must be 1 to 256, not 0'],
  [hmac(256), hmac(257), 'The length of the key in bytes must be 1 to 256, not 257'],
]

for (const [taken, refused, problem] of bounds) {
  test(problem, () => {
    assert.ok(storedOf(taken))
    assert.deepEqual(readImportedPassword(refused, 256), { problem })
  })
}

/** The stored text of an imported hash. */
function storedOf(value: unknown): string {
  const read = readImportedPassword(value, 256)
  assert.ok('stored' in read, JSON.stringify(read))
  return read.stored
}

test('the estimate of work, which decides padding and waiting, counts all that is computed', () => {
  const workOf = (value: unknown) => openStored(storedOf(value)).workMs
  assert.equal(workOf(bcrypt('06')), 4 * workOf(bcrypt('04')))
  assert.equal(workOf(pbkdf2(4_000)), 4 * workOf(pbkdf2(1_000)))
  assert.equal(workOf(pbkdf2(1_000, 128)), 4 * workOf(pbkdf2(1_000, 32)))
  assert.equal(workOf(scrypt(4_096, 8, 1)), 4 * workOf(scrypt(1_024, 8, 1)))
  assert.equal(workOf(scrypt(1_024, 8, 4)), 4 * workOf(scrypt(1_024, 8, 1)))
  assert.equal(workOf(firebase(8, 10)), 4 * workOf(firebase(2, 10)))
  assert.equal(workOf(digest(1_024)), 4 * workOf(digest(256)))
  const outer = argon2(1_024, 2, 1)
  const wrapped = wrappedText(storedOf(digest(4_096)).replace(/\$[^$]*$/, ''), outer)
  assert.equal(openStored(wrapped).workMs, workOf(digest(4_096)) + workOf(outer))
})

test('matches nothing for a stored row above the limits of an import, even with its password', async () => {
  const password = 'password'
  const salt = Buffer.alloc(8)
  const stored = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '')
  let thrice: Buffer | string = password
  for (let done = 0; done < 8193; done++) thrice = digestOf('md5', thrice, 'buffer')
  const stream = createCipheriv('aes-256-ctr', scryptSync(password, salt, 32, { N: 2, r: 9 }), Buffer.alloc(16))
  for (const row of [
    hashSync(password, { memoryCost: 262_145, timeCost: 1 }),
    hashSync(password, { memoryCost: 8, timeCost: 17 }),
    hashSync(password, { memoryCost: 136, timeCost: 1, parallelism: 17 }),
    '$2y$15$XMAiKlyrhZU5Rn//.sW.4.zi7oU7fuAakiNDkLwA.iYTRHjtkFJfy',
    `$scrypt$ln=1,r=1,p=17$${stored(salt)}$${stored(scryptSync(password, salt, 32, { N: 2, r: 1, p: 17 }))}`,
    `$firebase-scrypt$ln=1,r=9$${stored(salt)}$${stored(stream.update(Buffer.alloc(64)))}`,
    `$pbkdf2-sha1$i=2000001$${stored(salt)}$${stored(pbkdf2Sync(password, salt, 2_000_001, 20, 'sha1'))}`,
    `$digest-md5$i=8193,o=salt-first$$${stored(thrice as Buffer)}`,
  ]) {
    assert.equal(await matchesStored(row, password), false, row)
  }
})
