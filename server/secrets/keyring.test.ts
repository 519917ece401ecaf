import assert from 'node:assert/strict'
import { createDecipheriv, hkdfSync } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../test/support/any-text.ts'
import { createKeyring, SealBroken } from './keyring.ts'
import { generateMasterKeys } from './master-keys.ts'

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64')
const keyring = createKeyring(`k1:${key(1)}`)
const CONTEXT = ['otp-code', 'tenant-a', 'otp-1', 'reset_password']
const text = fc.string({ unit: 'grapheme' })
const context = fc.array(anyText(), { minLength: 1, maxLength: 5 })

test('opens a sealed text in its context, and never seals twice alike', () => {
  fc.assert(
    fc.property(text, context, (plaintext, parts) => {
      const sealed = keyring.seal(plaintext, parts)
      assert.match(sealed, /^k1\.[A-Za-z0-9_-]{38,}$/)
      assert.equal(keyring.open(sealed, parts), plaintext)
      assert.notEqual(keyring.seal(plaintext, parts), sealed)
    }),
  )
})

test('opens in no other context, not even one with the same parts joined (threat F10)', () => {
  fc.assert(
    fc.property(context, context, (own, other) => {
      fc.pre(JSON.stringify(own) !== JSON.stringify(other))
      assert.throws(() => keyring.open(keyring.seal('123456', own), other), SealBroken)
    }),
  )
  const sealed = keyring.seal('123456', CONTEXT)
  for (const other of [
    ['otp-code', 'tenant-b', 'otp-1', 'reset_password'],
    ['otp-code', 'tenant-a', 'otp-2', 'reset_password'],
    ['otp-code', 'tenant-a', 'otp-1', 'otp_signin'],
    ['inbox', 'tenant-a', 'otp-1', 'reset_password'],
    ['otp-code', 'tenant-aotp-1', '', 'reset_password'],
    ['otp-code', 'tenant-a","otp-1', 'reset_password'],
    ['otp-code', 'tenant-a,otp-1', 'reset_password'],
    ['otp-code', 'tenant-a otp-1', 'reset_password'],
    ['otp-code', 'tenant-a', 'otp-1'],
    [...CONTEXT, ''],
    [...CONTEXT].reverse(),
  ]) {
    assert.throws(() => keyring.open(sealed, other), SealBroken, other.join())
  }
})

test('rejects a sealed text with one character changed, removed or doubled (threat F10)', () => {
  const sealed = keyring.seal('123456', CONTEXT)
  for (let at = 0; at < sealed.length; at++) {
    for (const other of ['', 'A', 'B', '_', '.', '=', '+', ' ', '\n', 'é', sealed[at]! + sealed[at]!]) {
      if (other === sealed[at]) continue
      const changed = sealed.slice(0, at) + other + sealed.slice(at + 1)
      assert.throws(() => keyring.open(changed, CONTEXT), SealBroken, changed)
    }
  }
})

test('seals with AES-256-GCM, a subkey per purpose and the context as JSON in the authenticated data', () => {
  const bytes = Buffer.from(keyring.seal('123456', CONTEXT).slice('k1.'.length), 'base64url')
  const subkey = hkdfSync('sha256', Buffer.alloc(32, 1), 'tenantry', 'seal/otp-code', 32)
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(subkey), bytes.subarray(0, 12))
  decipher.setAAD(Buffer.from('["otp-code","tenant-a","otp-1","reset_password"]')).setAuthTag(bytes.subarray(-16))
  assert.equal(decipher.update(bytes.subarray(12, -16), undefined, 'utf8') + decipher.final('utf8'), '123456')
})

test('rejects a text that is not sealed', () => {
  for (const garbage of ['', '.', 'k1', 'k1.', 'k1.AAAA', '123456', `k1.${'A'.repeat(37)}`, '__proto__.AAAA']) {
    assert.throws(() => keyring.open(garbage, CONTEXT), SealBroken, garbage)
  }
  fc.assert(fc.property(anyText(), (t) => assert.throws(() => keyring.open(`k1.${t}`, CONTEXT), SealBroken)))
})

test('seals with the new key after a rotation and still opens with the old one', () => {
  const rotated = createKeyring(`k2:${key(2)},k1:${key(1)}`)
  assert.deepEqual(rotated.keyIds, ['k2', 'k1'])
  assert.equal(rotated.open(keyring.seal('123456', CONTEXT), CONTEXT), '123456')
  const sealed = rotated.seal('123456', CONTEXT)
  assert.ok(sealed.startsWith('k2.'))
  assert.equal(rotated.open(sealed, CONTEXT), '123456')
})

test('opens nothing without the key or with another key of the same id (threat G18)', () => {
  const sealed = keyring.seal('123456', CONTEXT)
  assert.throws(() => createKeyring(`k2:${key(2)}`).open(sealed, CONTEXT), /not in TENANTRY_MASTER_KEYS/)
  assert.throws(() => createKeyring(`k1:${key(3)}`).open(sealed, CONTEXT), SealBroken)
  assert.throws(() => createKeyring(`k2:${key(1)}`).open(sealed.replace('k1', 'k3'), CONTEXT), SealBroken)
})

test('has neither the sealed text nor the context in its errors', () => {
  const sealed = keyring.seal('123456', CONTEXT)
  assert.throws(
    () => keyring.open(sealed, ['otp-code', 'tenant-b']),
    (error: Error) => !/123456|tenant|otp-code/.test(error.message) && !error.message.includes(sealed.slice(3)),
  )
})

test('throws a TypeError for an empty context and for lone surrogates', () => {
  assert.throws(() => keyring.seal('x', []), TypeError)
  assert.throws(() => keyring.open(keyring.seal('x', ['p']), []), TypeError)
  assert.throws(() => keyring.seal('\ud800', ['p']), TypeError)
})

test('accepts a generated key', () => {
  const generated = createKeyring(generateMasterKeys(Date.UTC(2026, 0, 31)))
  assert.equal(generated.open(generated.seal('é💩', ['p']), ['p']), 'é💩')
})
