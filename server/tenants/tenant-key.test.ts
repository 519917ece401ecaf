import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { anyText } from '../../test/support/any-text.ts'
import { sampleSize } from '../../test/support/runner/sample-size.ts'
import { matchesSecret } from '../secrets/issued-key.ts'
import { issueTenantKey, parseTenantKey } from './tenant-key.ts'

const NOW = 1_700_000_000_000
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Appends a correct checksum, as anyone who knows the format can. */
function withChecksum(body: string): string {
  let digits = ''
  for (let rest = crc32(body), i = 0; i < 6; i++, rest = Math.floor(rest / 62)) digits = BASE62[rest % 62] + digits
  return `${body}_${digits}`
}

test('an issued key has the documented format and parses to what was issued', () => {
  for (const kind of ['publishable', 'secret'] as const) {
    for (let round = 0; round < 500; round++) {
      const { id, text, secretHash } = issueTenantKey(kind, NOW)
      assert.match(text, /^tk_(pub|sec)_[0-9A-HJKMNP-TV-Z]{26}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
      const parsed = parseTenantKey(text)
      assert.ok(parsed)
      assert.equal(parsed.id, id)
      assert.equal(parsed.kind, kind)
      assert.equal(secretHash, createHash('sha256').update(parsed.secret).digest('hex'))
      assert.ok(!text.includes(secretHash))
      assert.ok(matchesSecret(parsed.secret, secretHash))
    }
  }
})

test('rejects a key with any one character changed, removed or added', () => {
  const { text } = issueTenantKey('publishable', NOW)
  fc.assert(
    fc.property(fc.nat(text.length - 1), anyText({ minLength: 0, maxLength: 2 }), (at, other) => {
      const changed = text.slice(0, at) + other + text.slice(at + 1)
      assert.equal(parseTenantKey(changed) === null, changed !== text)
    }),
    { numRuns: sampleSize(2000) },
  )
})

test('rejects a malformed key with a correct checksum', () => {
  const { text } = issueTenantKey('secret', NOW)
  const body = text.slice(0, -7)
  assert.ok(parseTenantKey(withChecksum(body)))
  for (const wrong of [
    body.replace('tk_', 'TK_'),
    body.replace('_sec_', '_adm_'),
    body.toLowerCase(),
    `${body.slice(0, 7)}8${body.slice(8)}`, // a ULID past 48 bits
    `${body.slice(0, -1)}_`,
    `${body.slice(0, -1)}-`,
    `${body.slice(0, -1)}é`,
    `${body.slice(0, -1)}\ud800`,
    `${body.slice(0, -1)}\0`,
    'x'.repeat(body.length),
    '_'.repeat(body.length),
  ]) {
    assert.equal(wrong.length, body.length)
    assert.equal(parseTenantKey(withChecksum(wrong)), null, wrong)
  }
  assert.equal(parseTenantKey(withChecksum(body).replace(/_(?=[^_]*$)/, '-')), null)
})

test('parsing returns null for any other value and never throws', () => {
  fc.assert(fc.property(fc.anything(), (thing) => parseTenantKey(thing) === null))
  fc.assert(fc.property(anyText({ minLength: 84, maxLength: 84 }), (text) => parseTenantKey(text) === null))
})

test('does not match another secret, another hash or a malformed hash', () => {
  const a = issueTenantKey('secret', NOW)
  const b = issueTenantKey('secret', NOW)
  const secret = parseTenantKey(a.text)!.secret
  assert.equal(matchesSecret(secret, b.secretHash), false)
  assert.equal(matchesSecret(parseTenantKey(b.text)!.secret, a.secretHash), false)
  for (const stored of [
    '',
    'x',
    a.secretHash.slice(1),
    `${a.secretHash}0`,
    a.secretHash.toUpperCase(),
    '\ud800'.repeat(64),
  ]) {
    assert.equal(matchesSecret(secret, stored), false)
  }
})

test('every base62 character is equally likely at every position of the secret', () => {
  const rounds = 6200
  const counts = Array.from({ length: 43 }, () => new Map<string, number>())
  for (let round = 0; round < rounds; round++) {
    const { secret } = parseTenantKey(issueTenantKey('secret', NOW).text)!
    for (let place = 0; place < 43; place++) {
      counts[place]!.set(secret[place]!, (counts[place]!.get(secret[place]!) ?? 0) + 1)
    }
  }
  // 100 expected each; 75 is seven and a half standard deviations away.
  for (const place of counts) for (const c of BASE62) assert.ok(Math.abs((place.get(c) ?? 0) - 100) < 75, c)
})
