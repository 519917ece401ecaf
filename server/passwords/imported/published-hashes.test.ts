import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { ImportedPassword } from '../../../contract/admin/imported-password.ts'
import { sampleOf } from '../../../test/support/runner/sample-size.ts'
import { matchesStored } from './matches-stored.testkit.ts'
import { firebaseSample, publishedHashes } from './published-hashes.testkit.ts'
import { readImportedPassword } from './read-imported-password.ts'

/** The stored text; fails the test when the hash is refused. */
function storedOf(given: ImportedPassword): string {
  const read = readImportedPassword(given, 256)
  assert.ok('stored' in read, JSON.stringify(read))
  return read.stored
}

const nameOf = (given: ImportedPassword) =>
  typeof given === 'string' ? given.slice(0, given.lastIndexOf('$')) : given.algorithm

for (const { source, password, given } of publishedHashes) {
  test(`${nameOf(given)} (${source}): matches its password and no other`, async () => {
    const stored = storedOf(given)
    assert.equal(await matchesStored(stored, password), true)
    for (const wrong of [`${password}x`, password === '' ? ' ' : password.slice(1)]) {
      // bcrypt ignores bytes after the 72nd.
      if (stored.startsWith('$2') && password.length >= 72 && wrong.startsWith(password)) continue
      assert.equal(await matchesStored(stored, wrong), false, wrong)
    }
    assert.equal(storedOf(stored), stored, 'a stored text can be imported unchanged')
  })
}

test('matches nothing for a truncated, extended or altered stored text', async () => {
  const kinds = new Set<string>()
  for (const { password, given, slow } of publishedHashes) {
    if (slow) continue
    const stored = storedOf(given)
    kinds.add(stored.split('$')[1]!)
    const cut = [stored.slice(0, -1), stored.slice(1), `${stored}A`, `${stored}$`, `${stored}\n`]
    // The first bytes of a derived key are a valid derived key, so truncation is only detected below 16 bytes.
    const kept = /^\$(scrypt|pbkdf2)/.test(stored) ? stored.lastIndexOf('$') + 1 + 20 : -8
    cut.push(stored.slice(0, kept), stored.slice(0, stored.lastIndexOf('$') + 1))
    const altered: string[] = []
    for (let at = 0; at < stored.length; at += 3) {
      if (/\d/.test(stored[at]!) && at < stored.lastIndexOf('$') - 4) continue // a cost could grow
      altered.push(stored.slice(0, at) + (stored[at] === 'B' ? 'C' : 'B') + stored.slice(at + 1))
    }
    for (const other of [...cut, ...sampleOf(altered)]) assert.equal(await matchesStored(other, password), false, other)
  }
  assert.equal(kinds.size, 15, [...kinds].join())
})

test("stores nothing of a Firebase project's secret, and compares every part of the hash", async () => {
  const { signerKey, salt, saltSeparator, hash } = firebaseSample
  const stored = storedOf(firebaseSample)
  for (const secret of [signerKey, hash]) assert.ok(!stored.includes(secret.slice(0, 20)), stored)
  const other = Buffer.from(signerKey, 'base64').fill(7, 63).toString('base64')
  for (const wrong of [
    { ...firebaseSample, signerKey: other },
    { ...firebaseSample, salt: 'AAAA' },
    { ...firebaseSample, saltSeparator: salt, salt: saltSeparator },
    { ...firebaseSample, rounds: 7 },
    { ...firebaseSample, memoryCost: 13 },
  ]) {
    assert.equal(await matchesStored(storedOf(wrong), 'user1password'), false)
  }
  // The Admin SDK lists users with URL-safe base64.
  const urlSafe = { ...firebaseSample, hash: hash.replaceAll('+', '-').replaceAll('/', '_') }
  assert.equal(storedOf(urlSafe), stored)
})

test('compares 72 bytes with bcrypt, and matches nothing for a password with NUL', async () => {
  const long = '0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
  const stored = '$2a$05$abcdefghijklmnopqrstuu5s2v8.iXieOjg/.AySBTTZIIVFJeBui'
  assert.equal(await matchesStored(stored, `${long}chars after 72 are ignored`), true) // Openwall's test vector
  assert.equal(await matchesStored(stored, long.slice(0, 71)), false)
  assert.equal(await matchesStored(stored, `${long}\0`), false)
  // `a`, NUL, `b`, hashed by an implementation that does not stop at NUL.
  const withNul = '$2y$04$rJFzKUui1n/0yFLt7ocg5.D6iCq66O/XE2WILHQupsPsFF2Gl7uy6'
  for (const password of ['a\0b', 'a']) assert.equal(await matchesStored(withNul, password), false)
})

test('treats bcrypt 2a, 2b and 2y the same, and refuses 2x', async () => {
  const rest = '$05$CCCCCCCCCCCCCCCCCCCCC.E5YPO9kmyuRGyh0XouQYb4YMJKvyOeW'
  for (const version of ['2a', '2b', '2y'])
    assert.equal(await matchesStored(storedOf(`$${version}${rest}`), 'U*U'), true)
  assert.ok('problem' in readImportedPassword(`$2x${rest}`, 256))
  assert.equal(await matchesStored(`$2x${rest}`, 'U*U'), false)
})

test('does not block the event loop while verifying', async () => {
  const repeated = { algorithm: 'sha512', encoding: 'hex', hash: '00'.repeat(64), iterations: 8192 } as const
  const slow = publishedHashes.filter(({ slow }) => slow).map(({ given }) => given)
  for (const given of [repeated, ...sampleOf(slow)]) {
    let turns = 0
    let done = false
    const verifying = matchesStored(storedOf(given), 'password').finally(() => {
      done = true
    })
    for (; !done; turns++) await setImmediate()
    await verifying
    assert.ok(turns > 10, `${nameOf(given)}: ${turns} turns`)
  }
})

test('repeats a digest over the bytes of the previous one', async () => {
  // md5(md5(md5('password'))), by `printf password | openssl md5 -binary | openssl md5 -binary | openssl md5`
  const given = { algorithm: 'md5', encoding: 'hex', iterations: 3, hash: '89792a37233e3116d2c373cfaf34ee33' } as const
  assert.equal(await matchesStored(storedOf(given), 'password'), true)
  assert.equal(await matchesStored(storedOf({ ...given, iterations: 2 }), 'password'), false)
})

test('compares the UTF-8 of a password without normalising it', async () => {
  const given = { algorithm: 'sha256', encoding: 'hex' } as const
  // By `printf 'pass\303\266word' | openssl sha256`
  const hash = '3c323caa32d6d51b844758c6efafdea4cfd76fa174745a5dcceb4fbfc93b3de8'
  assert.equal(await matchesStored(storedOf({ ...given, hash }), 'pass\u00f6word'), true)
  assert.equal(await matchesStored(storedOf({ ...given, hash }), 'passo\u0308word'), false)
})
