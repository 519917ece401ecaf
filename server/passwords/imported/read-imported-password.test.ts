import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ImportedPassword } from '../../../contract/admin/imported-password.ts'
import { anyText } from '../../../test/support/any-text.ts'
import { sampleSize } from '../../../test/support/runner/sample-size.ts'
import { matchesStored } from './matches-stored.testkit.ts'
import { firebaseSample, publishedHashes } from './published-hashes.testkit.ts'
import { readImportedPassword } from './read-imported-password.ts'

const hash = '5f4dcc3b5aa765d61d8327deb882cf99'
const md5 = { algorithm: 'md5', encoding: 'hex', hash } as const
const sha1Salt = 'OB.dtnSEXZK8U5cgxU/GYQ'
const argon2Hash = 'nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'

const problems: readonly (readonly [given: unknown, problem: RegExp])[] = [
  [undefined, /^Required$/],
  [null, /^Expected string or object, received null$/],
  [5, /^Expected string or object, received number$/],
  ['', /^String must contain at least 1 character\(s\)$/],
  ['$2b$'.padEnd(2049, 'x'), /^String must contain at most 2048 character\(s\)$/],
  [{}, /^algorithm: Required$/],
  [{ ...md5, algorithm: 'crc32' }, /^algorithm: Invalid enum value$/],
  [{ ...md5, encoding: undefined }, /^encoding: Required$/],
  [{ ...md5, iterations: 1.5 }, /^iterations: Expected integer, received float$/],
  [{ ...md5, pepper: 'x' }, /^pepper: Unrecognized key$/],
  [{ ...md5, hash: 'x'.repeat(2049) }, /^hash: String must contain at most 2048 character\(s\)$/],
  [{ ...md5, hash: hash.slice(1) }, /^hash is not hexadecimal$/],
  [{ ...md5, hash: hash.slice(2) }, /^The hash must have 16 bytes, not 15$/],
  [{ ...md5, encoding: 'base64' }, /^The hash must have 16 bytes, not 24$/],
  [{ ...md5, encoding: 'base64', hash: 'X03MO1qnZdYdgyfeuILPm=' }, /^hash is not valid base64$/],
  [{ ...md5, encoding: 'base64', hash: 'X03MO1qnZdYdgyfeuILPmR==' }, /^hash is not valid base64$/],
  ...['salt', 'saltEncoding', 'order'].map((left) => {
    const { [left]: _, ...two } = { salt: 'pinch', saltEncoding: 'utf8', order: 'salt-first' } as Record<string, string>
    return [{ ...md5, ...two }, /^Give salt, saltEncoding and order together, or none of them$/] as const
  }),
  [{ ...md5, salt: '\ud800', saltEncoding: 'utf8', order: 'salt-first' }, /^salt has lone surrogates$/],
  [{ ...md5, salt: 'pinch', saltEncoding: 'hex', order: 'salt-first' }, /^salt is not hexadecimal$/],
  [{ ...firebaseSample, signerKey: 'c2hvcnQ=' }, /^hash and signerKey must have the same length, not 64 and 5 bytes$/],
  [{ ...firebaseSample, saltSeparator: '*' }, /^saltSeparator is not valid base64$/],
  ...['', 'x', hash, '$1$seasalt$x', '$6$seasalt$x', '{SSHA}x', '$P$Bx', 'bcrypt_sha256$$2b$12$x', 'md5$seasalt$x'].map(
    (text) => [text || 'secret', /^Unknown hash format; give other hashes as an object with algorithm$/] as const,
  ),
  // The unused bits in the last digits of salt and hash must be zero.
  ['$2b$05$CCCCCCCCCCCCCCCCCCCCC/E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW', /^The hash does not have the form \$2b\$/],
  ['$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeX', /^The hash does not have the form \$2b\$/],
  ['$2b$10$short', /^The hash does not have the form \$2b\$ and the cost in two digits, \$ and 53 characters, whole$/],
  ['$argon2id$v=18$m=8,t=1,p=1$c29tZXNhbHQ$c29tZXNhbHQ', /^The hash does not have the form \$argon2id\$v=19\$m=/],
  ...['m=0256,t=2,p=1', 'm=256,t=02,p=1', 'm=256,t=2,p=01'].map(
    (cost) =>
      [`$argon2id$v=19$${cost}$c29tZXNhbHQ$${argon2Hash}`, /^The hash does not have the form \$argon2id\$/] as const,
  ),
  ['$scrypt$ln=10,r=8$c29tZXNhbHQ$c29tZXNhbHQ', /^The hash does not have the form \$scrypt\$ln=/],
  [`$pbkdf2$1212$${sha1Salt}$y5LKPOplRmok7CZp/aqVDVg8zG`, /^The hash is not valid base64$/],
  ['pbkdf2_sha256$0$seasalt$8xBlGd3jVgvJ+92hWPxi5ww0uuAuAnKgC45eudxro7c=', /^The iterations of PBKDF2 must be 1 to/],
]

for (const [given, problem] of problems) {
  test(`${JSON.stringify(given)?.slice(0, 70)}: ${problem.source.slice(1, 60)}`, () => {
    const read = readImportedPassword(given, 256)
    assert.ok('problem' in read, JSON.stringify(read))
    assert.match(read.problem, problem)
  })
}

test('stores the same text for PBKDF2 in the formats of passlib and PHC, and as an object', () => {
  const bytes = (text: string) => Buffer.from(text.replaceAll('.', '+'), 'base64')
  const [salt, made] = [sha1Salt, 'y5LKPOplRmok7CZp/aqVDVg8zGI']
  const stored = `$pbkdf2-sha1$i=1212$${salt.replaceAll('.', '+')}$${made}`
  for (const given of [
    `$pbkdf2$1212$${salt}$${made}`,
    stored,
    stored.replace('1212', '1212,l=20'),
    {
      ...{ algorithm: 'pbkdf2', digest: 'sha1', iterations: 1212, encoding: 'base64', saltEncoding: 'hex' },
      ...{ salt: bytes(salt).toString('hex'), hash: bytes(made).toString('base64') },
    },
  ]) {
    assert.deepEqual(readImportedPassword(given, 256), { stored })
  }
})

test("removes Django's prefix from argon2 and bcrypt hashes", () => {
  const argon2 = `$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$${argon2Hash}`
  assert.deepEqual(readImportedPassword(`argon2${argon2}`, 256), { stored: argon2 })
  const bcrypt = '$2b$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
  assert.deepEqual(readImportedPassword(`bcrypt$${bcrypt}`, 256), { stored: bcrypt })
})

const cheap = publishedHashes.filter(({ slow }) => !slow).map(({ given }) => given)

/** Numbers of negligible cost, numbers above the limits, and non-integers. */
const numbers = fc.constantFrom(-1, 0, 1, 2, 3, 4, 16, 17, 64, 2 ** 40, Number.MAX_SAFE_INTEGER, 1.5, Number.NaN)
const fieldText = fc.oneof(anyText({ maxLength: 80 }), fc.base64String({ maxLength: 90 }), fc.constantFrom(hash, ''))
const objects = fc.record(
  {
    algorithm: fc.constantFrom('firebase-scrypt', 'scrypt', 'pbkdf2', 'md5', 'sha256', 'hmac-sha1', 'x'),
    ...{ hash: fieldText, salt: fieldText, key: fieldText, signerKey: fieldText, saltSeparator: fieldText },
    encoding: fc.constantFrom('hex', 'base64'),
    saltEncoding: fc.constantFrom('utf8', 'hex', 'base64'),
    keyEncoding: fc.constantFrom('utf8', 'hex', 'base64'),
    order: fc.constantFrom('salt-first', 'password-first'),
    digest: fc.constantFrom('sha1', 'sha256', 'sha512'),
    ...{ iterations: numbers, cost: numbers, blockSize: numbers, parallelization: numbers },
    ...{ rounds: numbers, memoryCost: fc.constantFrom(-1, 0, 1, 2, 15, 2 ** 31) },
  },
  { requiredKeys: ['algorithm'] },
)

/** Published hashes with a changed field, and texts with characters inserted or removed. */
const altered = fc.constantFrom(...cheap).chain((given) => {
  if (typeof given !== 'string') {
    const field = fc.constantFrom(...Object.keys(given).filter((key) => key !== 'algorithm'))
    return fc.tuple(field, fc.oneof(fieldText, numbers)).map(([key, value]) => ({ ...given, [key]: value }) as unknown)
  }
  const inserted = fc.string({ unit: fc.constantFrom(...'$,=+/.-_ Az\0é'), maxLength: 3 })
  const at = fc.nat(given.length)
  return fc
    .tuple(at, fc.nat(3), inserted)
    .map(([from, removed, text]): unknown => given.slice(0, from) + text + given.slice(from + removed))
})

test('returns either a verifiable text or a problem without secrets, for any input', async () => {
  const taken = new Set<string>()
  const property = fc.asyncProperty(
    fc.oneof(fc.anything(), objects, altered, fc.constantFrom<unknown>(...cheap)),
    anyText(),
    async (given, password) => {
      const read = readImportedPassword(given, 256)
      if ('stored' in read) {
        taken.add(read.stored.split('$')[1]!)
        assert.match(read.stored, /^[\x21-\x7e]{20,1500}$/)
        assert.equal(typeof (await matchesStored(read.stored, password)), 'boolean')
        assert.deepEqual(readImportedPassword(read.stored, 256), read)
        return
      }
      const { hash, salt, key, signerKey } = Object(given) as Record<string, unknown>
      for (const secret of [given, hash, salt, key, signerKey]) {
        const long = typeof secret === 'string' && secret.length >= 16 ? secret : undefined
        for (const part of long?.match(/[^$]{16,}/g) ?? []) assert.ok(!read.problem.includes(part), read.problem)
      }
    },
  )
  await fc.assert(property, { numRuns: sampleSize(3000) })
  assert.ok(taken.size >= 12, [...taken].join())
})

test('never throws for any stored text', async () => {
  const texts = altered.filter((given): given is string => typeof given === 'string')
  await fc.assert(
    fc.asyncProperty(fc.oneof(texts, anyText()), async (stored) => {
      assert.equal(typeof (await matchesStored(stored, 'password')), 'boolean')
    }),
    { numRuns: sampleSize(500) },
  )
})

test('accepts the published hashes in the schema of the contract', () => {
  for (const { given } of publishedHashes) assert.equal(ImportedPassword.safeParse(given).success, true)
})
