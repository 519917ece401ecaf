import assert from 'node:assert/strict'
import { test } from 'node:test'
import { generateMasterKeys, parseMasterKeys } from './master-keys.ts'

const KEY = Buffer.alloc(32, 0xfb).toString('base64')

test('reads entries in order, with any white space, padding and base64 alphabet', () => {
  const url = Buffer.alloc(32, 0xfb).toString('base64url')
  const keys = parseMasterKeys(` new : ${KEY} ,\n old-1_A:${url}\n`)
  assert.deepEqual(
    keys.map(({ id }) => id),
    ['new', 'old-1_A'],
  )
  for (const { key } of keys) assert.deepEqual(key, Buffer.alloc(32, 0xfb))
})

test('generates one key with the day in its id, which no other key of the day has', () => {
  const now = Date.UTC(2026, 0, 31, 23, 59)
  const text = generateMasterKeys(now)
  assert.match(text, /^k20260131-[0-9a-f]{8}:[A-Za-z0-9+/]{43}=$/)
  assert.notEqual(parseMasterKeys(text)[0]!.id, parseMasterKeys(generateMasterKeys(now))[0]!.id)
})

const refusals: [name: string, text: string, message: RegExp][] = [
  ['nothing at all', ' \n', /TENANTRY_MASTER_KEYS is empty.*openssl rand -base64 32/],
  ['an empty entry', `a:${KEY},`, /entry 2 is empty/],
  ['an entry without a colon', KEY, /entry 1 has no colon.*kid:base64/],
  ['an entry without an id', `:${KEY}`, /entry 1 has an id that is not/],
  ['an id with a dot', `a.b:${KEY}`, /entry 1 has an id that is not/],
  ['an entry without a key', 'a:', /entry 1 \("a"\) has a key that is not base64.*openssl/],
  ['a key that is not base64', 'a:$$$', /entry 1 \("a"\) has a key that is not base64/],
  ['a short key', `a:${KEY},b:${Buffer.alloc(16).toString('base64')}`, /entry 2 \("b"\) has a key of 16 bytes; 32/],
  ['a long key', `a:${Buffer.alloc(33).toString('base64')}`, /entry 1 \("a"\) has a key of 33 bytes; 32/],
  ['the same id twice', `a:${KEY},b:${KEY},a:${KEY}`, /entry 3 \("a"\) has the id of entry 1/],
]

for (const [name, text, message] of refusals) {
  test(`rejects ${name} without repeating a key`, () => {
    assert.throws(
      () => parseMasterKeys(text),
      (error: Error) => {
        assert.match(error.message, message)
        assert.ok(!error.message.includes(KEY))
        return true
      },
    )
  })
}
