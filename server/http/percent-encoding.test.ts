import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasEncodedUnreserved } from './percent-encoding.ts'

const unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'

test('of all 256 octets exactly the unreserved characters are found, in either case of the digits', () => {
  for (let octet = 0; octet < 256; octet++) {
    const digits = octet.toString(16).padStart(2, '0')
    for (const written of [digits, digits.toUpperCase()]) {
      const expected = unreserved.includes(String.fromCharCode(octet))
      assert.equal(hasEncodedUnreserved(`/a/%${written}b`), expected, written)
    }
  }
})

test('a query may encode anything, and an encoded percent sign is not decoded twice', () => {
  for (const url of ['/a?b=%61', '/a?%2D', '/%2561', '/%25%2Fa', '/%206', '/a', '']) {
    assert.equal(hasEncodedUnreserved(url), false, url)
  }
  assert.equal(hasEncodedUnreserved('/%61?b=c'), true)
})
