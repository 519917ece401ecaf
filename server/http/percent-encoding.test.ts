import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasEncodedUnreserved, isEncodedScreen } from './percent-encoding.ts'

const unreserved = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~'

test('finds exactly the encoded unreserved characters among all 256 octets, in both cases of the digits', () => {
  for (let octet = 0; octet < 256; octet++) {
    const digits = octet.toString(16).padStart(2, '0')
    for (const written of [digits, digits.toUpperCase()]) {
      const expected = unreserved.includes(String.fromCharCode(octet))
      assert.equal(hasEncodedUnreserved(`/a/%${written}b`), expected, written)
    }
  }
})

test('ignores the query, and does not decode an encoded percent sign twice', () => {
  for (const url of ['/a?b=%61', '/a?%2D', '/%2561', '/%25%2Fa', '/%206', '/a', '']) {
    assert.equal(hasEncodedUnreserved(url), false, url)
  }
  assert.equal(hasEncodedUnreserved('/%61?b=c'), true)
})

test('an encoded path below the console is a screen', () => {
  for (const url of ['/console/tenants/%FF', '/console/%41?q=a', '/console/tenants/a%2Fb'])
    assert.equal(isEncodedScreen(url), true, url)
  for (const url of ['/console/tenants?q=%FF', '/console/', '/%63onsole/', '/admin/tenants/%FF'])
    assert.equal(isEncodedScreen(url), false, url)
})
