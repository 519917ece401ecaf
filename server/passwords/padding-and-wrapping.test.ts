import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { hashSync } from '@node-rs/argon2'
import { isFastDigest } from './imported/digest.ts'
import { publishedHashes } from './imported/published-hashes.testkit.ts'
import { readImportedPassword } from './imported/read-imported-password.ts'
import {
  createPasswordHasher,
  type HashCaller,
  PasswordHasherBusy,
  type PasswordHasherOptions,
} from './password-hasher.ts'

const caller: HashCaller = { tenantId: 'a' }
const hashOf = (algorithm: string, data: string | Buffer) => hash(algorithm, data, 'base64').replaceAll('=', '')
const md5 = (text: string) => hashOf('md5', text)

/** The real algorithm at its lowest cost. */
const cheap = (options: PasswordHasherOptions = {}) => createPasswordHasher({ memoryKiB: 8, passes: 1, ...options })

const published = (matches: (text: string) => boolean) => {
  const stored = publishedHashes.map(({ given }) => readImportedPassword(given, 256))
  return stored.flatMap((read) => ('stored' in read && matches(read.stored) ? [read.stored] : []))
}

test('does at least the work of an unknown account for a refusal, with any stored hash', async () => {
  const hasher = createPasswordHasher()
  const padding = async (stored: string) => {
    const { verifies, padded } = hasher
    assert.equal(await hasher.verify(stored, 'not the password', caller), false)
    assert.equal(hasher.verifies, verifies + 1)
    return hasher.padded - padded
  }
  const wrapped = await hasher.wrap(`$digest-md5$i=1,o=salt-first$$${md5('password')}`, caller)
  for (const stored of [
    ...published((text) =>
      /^\$(?:digest|hmac|pbkdf2-sha(?:1|512|256)\$i=(?:1|1212|4096)\$|2a\$05|argon2id)/.test(text),
    ),
    await cheap().hash('password', caller),
    await createPasswordHasher({ passes: 1 }).hash('password', caller),
    wrapped!.replace('m=19456', 'm=19448'),
    '$digest-md5$i=8193,o=salt-first$$',
    'malformed',
    '',
  ]) {
    assert.equal(await padding(stored), 1, stored)
  }
  for (const stored of [
    await hasher.hash('password', caller),
    wrapped!,
    hashSync('password', { memoryCost: 65_536, timeCost: 1 }),
    '$2b$10$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW',
    ...published((text) => /^\$pbkdf2-sha256\$i=390000/.test(text)),
  ]) {
    assert.equal(await padding(stored), 0, stored)
  }
})

test('takes as long for a refused digest as for an unknown account', async () => {
  const hasher = createPasswordHasher()
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  const digest = `$digest-md5$i=1,o=salt-first$$${md5('password')}`
  const [known, unknown] = [[], []] as [number[], number[]]
  for (let round = 0; round < 9; round++) {
    known.push(await timed(() => hasher.verify(digest, 'wrong', caller)))
    unknown.push(await timed(() => hasher.spend(caller)))
  }
  const median = (times: number[]) => times.toSorted((x, y) => x - y)[4]!
  // Without padding it would be a hundredth.
  assert.ok(median(known) > median(unknown) / 4, `${known} against ${unknown}`)
})

test('counts the memory and the time of padding in the queue', async () => {
  const digest = `$digest-md5$i=1,o=salt-first$$${md5('password')}`
  const narrow = createPasswordHasher({ budgetMiB: 19, concurrency: 2 })
  const both = [1, 2].map(() => narrow.verify(digest, 'wrong', caller))
  assert.deepEqual([narrow.working, narrow.waiting], [1, 1])
  const hurried = createPasswordHasher({ concurrency: 1, maxWaitMs: 5 })
  const first = hurried.verify(digest, 'wrong', caller)
  await assert.rejects(hurried.verify(digest, 'wrong', caller), PasswordHasherBusy)
  await Promise.all([...both, first])
})

test('does not pad a match', async () => {
  const hasher = cheap({ memoryKiB: 16 })
  assert.equal(await hasher.verify(`$digest-md5$i=1,o=salt-first$$${md5('password')}`, 'password', caller), true)
  assert.equal(hasher.padded, 0)
})

test('matches nothing for a hash above the memory budget, at the cost of an unknown account, and reports it', async () => {
  const reported: unknown[] = []
  const hasher = cheap({ budgetMiB: 16, onOverBudget: (details) => reported.push(details) })
  const heavy = (memoryCost: number) => hashSync('password', { memoryCost, timeCost: 1 })
  assert.equal(await hasher.verify(heavy(16 * 1024), 'password', caller), true)
  assert.deepEqual(reported, [])
  assert.equal(await hasher.verify(heavy(16 * 1024 + 8), 'password', caller), false)
  assert.deepEqual(reported, [{ tenantId: 'a', neededMiB: 17, budgetMiB: 16 }])
  assert.equal(hasher.padded, 1)
})

test('wraps a fast digest with argon2id, without storing the digest', async () => {
  const hasher = cheap()
  for (const { given, password } of publishedHashes) {
    const read = readImportedPassword(given, 256)
    assert.ok('stored' in read)
    const wrapped = await hasher.wrap(read.stored, caller)
    if (wrapped === null) {
      assert.equal(isFastDigest(read.stored), false)
      continue
    }
    const [recipe, digest] = [read.stored.slice(0, read.stored.lastIndexOf('$')), read.stored.split('$').at(-1)!]
    assert.ok(wrapped.startsWith(`$wrapped${recipe}$argon2id$v=19$m=8,t=1,p=1$`), wrapped)
    assert.ok(!wrapped.includes(digest), 'the digest is not stored')
    assert.equal(await hasher.verify(wrapped, password, caller), true)
    assert.equal(await hasher.verify(wrapped, `x${password}`, caller), false)
    // The digest does not work as a password either.
    assert.equal(await hasher.verify(wrapped, digest, caller), false)
    assert.equal(hasher.needsRehash(wrapped), true)
    assert.deepEqual(readImportedPassword(wrapped, 256), { stored: wrapped })
    assert.equal(await hasher.wrap(wrapped, caller), null)
  }
  assert.equal(await hasher.wrap('$digest-md5$i=8193,o=salt-first$$', caller), null)
})

test('reads a wrapped digest whose salt is "argon2id"', async () => {
  const hasher = cheap()
  const salt = 'argon2id'
  const hash = hashOf('md5', Buffer.concat([Buffer.from(salt, 'base64'), Buffer.from('password')]))
  const wrapped = await hasher.wrap(`$digest-md5$i=1,o=salt-first$${salt}$${hash}`, caller)
  assert.equal(await hasher.verify(wrapped!, 'password', caller), true)
})
