import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { hashSync } from '@node-rs/argon2'
import { publishedHashes } from './imported/published-hashes.testkit.ts'
import { readImportedPassword } from './imported/read-imported-password.ts'
import {
  createPasswordHasher,
  type HashCaller,
  PasswordHasherBusy,
  type PasswordHasherOptions,
} from './password-hasher.ts'

const caller: HashCaller = { tenantId: 'a' }
const md5 = (text: string) => hash('md5', text, 'base64').replaceAll('=', '')

/** The real algorithm at its lowest cost. */
const cheap = (options: PasswordHasherOptions = {}) => createPasswordHasher({ memoryKiB: 8, passes: 1, ...options })

test('returns a salted argon2id PHC string of the default cost', async () => {
  const hasher = createPasswordHasher()
  const [first, second] = await Promise.all([
    hasher.hash('correct horse', caller),
    hasher.hash('correct horse', caller),
  ])
  assert.match(first, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  assert.notEqual(first, second)
  assert.equal(await hasher.verify(first, 'correct horse', caller), true)
  assert.equal(await hasher.verify(first, 'correct horsf', caller), false)
})

test('hashes a password as sent: not truncated, trimmed, normalised or case-folded', async () => {
  const hasher = cheap()
  const long = 'x'.repeat(1023)
  for (const [password, other] of [
    [`${long}a`, `${long}b`],
    ['password\0a', 'password\0b'],
    ['passw\u00f6rd', 'passwo\u0308rd'],
    ['password ', 'password'],
    ['Password', 'password'],
    ['💩'.repeat(8), '💩'.repeat(9)],
    ['pass\ufffdword', 'pass\ud800word'],
  ] as const) {
    const phc = await hasher.hash(password, caller)
    assert.equal(await hasher.verify(phc, password, caller), true)
    assert.equal(await hasher.verify(phc, other, caller), false, JSON.stringify(other.slice(-12)))
  }
})

test('accepts any length, and rejects lone surrogates before hashing', async () => {
  const hasher = cheap()
  for (const password of ['123456', '💩'.repeat(1025)]) {
    assert.equal(await hasher.verify(await hasher.hash(password, caller), password, caller), true)
  }
  await assert.rejects(hasher.hash('password\ud800', caller), TypeError)
  assert.equal(hasher.hashes, 2)
})

test('verifies imported hashes in the same queue, and reports that they need a rehash', async () => {
  const hasher = cheap({ concurrency: 1, maxWaitMs: 0 })
  const stored = '$2a$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
  const first = hasher.verify(stored, 'U*U', caller)
  await assert.rejects(hasher.verify(stored, 'U*U', caller), PasswordHasherBusy)
  assert.equal(await first, true)
  assert.equal(await hasher.verify(stored, 'U*U*', caller), false)
  assert.equal(hasher.verifies, 2)
  for (const { given } of publishedHashes) {
    const read = readImportedPassword(given, 256)
    assert.equal('stored' in read && createPasswordHasher().needsRehash(read.stored), true)
  }
  // A lone surrogate does not match the U+FFFD that UTF-8 replaces it with.
  const replaced = `$digest-md5$i=1,o=salt-first$$${md5('pass\ufffdword')}`
  assert.equal(await hasher.verify(replaced, 'pass\ufffdword', caller), true)
  assert.equal(await hasher.verify(replaced, 'pass\ud800word', caller), false)
})

test('matches nothing for a malformed stored hash, without throwing', async () => {
  const hasher = cheap()
  for (const phc of [
    '',
    'x',
    '$argon2id$',
    '$2b$10$abcdefghijklmnopqrstuv',
    '$argon2id$v=19$m=8,t=1,p=1$$',
    '\ud800',
  ]) {
    assert.equal(await hasher.verify(phc, 'password', caller), false)
    assert.equal(hasher.needsRehash(phc), true)
  }
})

test('needs a rehash for weaker hashes only', async () => {
  const now = cheap({ memoryKiB: 16, passes: 2 })
  const made = (memoryKiB: number, passes: number) => cheap({ memoryKiB, passes }).hash('password', caller)
  assert.equal(now.needsRehash(await made(16, 2)), false)
  assert.equal(now.needsRehash(await made(32, 3)), false)
  assert.equal(now.needsRehash(await made(8, 2)), true)
  assert.equal(now.needsRehash(await made(16, 1)), true)
  const cost = { memoryCost: 16, timeCost: 2 }
  assert.equal(now.needsRehash(hashSync('password', { ...cost, outputLen: 16 })), true)
  assert.equal(now.needsRehash(hashSync('password', { ...cost, salt: Buffer.alloc(15) })), true)
  assert.equal(now.needsRehash(hashSync('password', { ...cost, salt: Buffer.alloc(16) })), false)
  assert.equal(now.needsRehash(hashSync('password', { ...cost, algorithm: 1 })), true) // argon2i
  assert.equal(now.needsRehash(hashSync('password', { ...cost, version: 0 })), true) // version 16
})

test('spends one verification of the same cost for an unknown account', async () => {
  const hasher = createPasswordHasher()
  const phc = await hasher.hash('password', caller)
  const timed = async (work: () => Promise<unknown>) => {
    const start = performance.now()
    await work()
    return performance.now() - start
  }
  const before = hasher.verifies
  const known = await timed(() => hasher.verify(phc, 'wrong password', caller))
  assert.equal(hasher.verifies - before, 1)
  const unknown = await timed(() => hasher.spend(caller))
  assert.equal(hasher.verifies - before, 2)
  assert.equal(hasher.hashes, 1)
  // Only shows that the dummy hash is not rejected as malformed before any work.
  assert.ok(unknown > known / 10, `${unknown} ms against ${known} ms`)
})

test('limits concurrent hashes and runs the others in order', async () => {
  const hasher = cheap({ concurrency: 1 })
  const finished: number[] = []
  const calls = Array.from({ length: 20 }, async (_, index) => {
    await hasher.hash('password', caller)
    finished.push(index)
    assert.ok(hasher.working <= 1, `${hasher.working} hashes run`)
  })
  await Promise.all(calls)
  assert.deepEqual(finished, [...Array(20).keys()])
})

test('limits concurrency to the number of cores', async () => {
  const hasher = cheap({ concurrency: 10_000 })
  const calls = Array.from({ length: 100 }, () => hasher.spend(caller))
  await Promise.resolve()
  assert.equal(hasher.verifies, Math.min(100, availableParallelism()))
  await Promise.all(calls)
  assert.equal(hasher.verifies, 100)
})

test('refuses a call that would wait too long, and accepts later ones', async () => {
  const hasher = cheap({ concurrency: 1, maxWaitMs: 0 })
  const first = hasher.hash('password', caller)
  await assert.rejects(hasher.hash('password', caller), PasswordHasherBusy)
  await assert.rejects(hasher.spend(caller), PasswordHasherBusy)
  await assert.rejects(hasher.verify('malformed', 'password', caller), PasswordHasherBusy)
  await first
  assert.deepEqual([hasher.hashes, hasher.verifies], [1, 0])
  await hasher.hash('password', caller)
})

test('frees its slot after a failure', async () => {
  const hasher = cheap({ concurrency: 1, maxWaitMs: 0 })
  for (let round = 0; round < 3; round++) assert.equal(await hasher.verify('malformed', 'password', caller), false)
  assert.equal(await hasher.verify(await hasher.hash('password', caller), 'password', caller), true)
})

test('rejects impossible costs', () => {
  for (const options of [
    ...[{ memoryKiB: 7 }, { passes: 0 }, { concurrency: 0 }, { maxWaitMs: -1 }, { passes: 1.5 }],
    ...[{ memoryKiB: 262_145, budgetMiB: 1024 }, { passes: 17 }], // verify would refuse such hashes
    ...[{ budgetMiB: 18 }, { budgetMiB: 0.5 }], // none of our hashes would fit
  ]) {
    assert.throws(() => createPasswordHasher(options), RangeError)
  }
})
