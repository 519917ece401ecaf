import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleSize } from '../../test/support/runner/sample-size.ts'
import { limitSubject, networkOf, parseAddress } from './address.ts'

const canonical: [text: string, address: string][] = [
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['::ffff:c000:0207', '192.0.2.7'],
  ['0:0:0:0:0:FFFF:C000:207', '192.0.2.7'],
  ['2001:DB8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
  ['2001:0db8::0001', '2001:db8::1'],
  ['1:2::3:4:5:6:7', '1:2:0:3:4:5:6:7'],
  ['0:0:0:0:0:0:0:1', '::1'],
  ['::', '::'],
]

for (const [text, address] of canonical) {
  test(`${text} is ${address}`, () => assert.equal(parseAddress(text), address))
}

test('rejects anything but a plain address', () => {
  for (const text of [
    '',
    ' 192.0.2.7',
    '192.0.2.7 ',
    '192.0.2.7:80',
    '192.0.2',
    '192.0.2.256',
    '192.0.2.07',
    '0xc0000207',
    '3221225991',
    '[::1]',
    '[::1]:80',
    'fe80::1%eth0',
    '::ffff:192.0.2.7%1',
    '::ffff:192.0.2.07',
    '1::2::3',
    '2001:db8::/32',
    'unknown',
    '_hidden',
    '１９２.0.2.7',
    '::1\0',
  ]) {
    assert.equal(parseAddress(text), null, JSON.stringify(text))
  }
})

test('keeps a canonical address', () => {
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6()), (text) => {
      const address = parseAddress(text)
      assert.ok(address !== null)
      assert.equal(parseAddress(address), address)
    }),
  )
})

/** An IPv6 address by its number, as groups without any abbreviation. */
const spelledOut = (value: bigint) =>
  Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16)).join(':')

test('groups addresses by /64 as limit subjects and by /48 as networks (threat F18)', () => {
  const group = fc.constantFrom<bigint[]>(0n, 0n, 1n, 0xffffn, 0x2001n)
  const address = fc
    .array(group, { minLength: 8, maxLength: 8 })
    .map((all) => all.reduce((sum, part) => (sum << 16n) | part, 0n))
  // An IPv4-mapped address is an IPv4 address, not one of ::/64.
  const plain = address.filter((value) => value >> 32n !== 0xffffn)
  fc.assert(
    fc.property(plain, plain, fc.bigInt({ min: 0n, max: 2n ** 80n - 1n }), (a, b, noise) => {
      const [textA, textB] = [spelledOut(a), spelledOut(b)]
      assert.equal(limitSubject(textA) === limitSubject(textB), a >> 64n === b >> 64n)
      assert.equal(networkOf(textA) === networkOf(textB), a >> 80n === b >> 80n)
      fc.pre((a ^ noise) >> 32n !== 0xffffn)
      assert.equal(networkOf(spelledOut(a ^ noise)), networkOf(textA))
    }),
    { numRuns: sampleSize(2000) },
  )
})

test('counts 2^16 addresses of a /64 as one subject (threat F18)', () => {
  const subjects = new Set<string>()
  for (let i = 0; i < 2 ** 16; i++) subjects.add(limitSubject(`2001:db8:0:1:${i.toString(16)}::${i.toString(16)}`))
  assert.deepEqual([...subjects], ['2001:db8:0:1::/64'])
})

test('writes subjects and networks in canonical form', () => {
  assert.equal(limitSubject('192.0.2.7'), '192.0.2.7')
  assert.equal(limitSubject('::ffff:192.0.2.7'), '192.0.2.7')
  assert.equal(limitSubject('2001:DB8::1'), '2001:db8::/64')
  assert.equal(limitSubject('1::2:3:4:5:6'), '1:0:0:2::/64')
  assert.equal(limitSubject('1:2:3:4:5:6:7:8'), '1:2:3:4::/64')
  assert.equal(limitSubject('::1'), '::/64')
  assert.equal(limitSubject('::1.2.3.4'), '::/64')
  assert.equal(networkOf('192.0.2.7'), '192.0.2.0/24')
  assert.equal(networkOf('::ffff:192.0.2.7'), '192.0.2.0/24')
  assert.equal(networkOf('2001:db8:1:2::3'), '2001:db8:1::/48')
  assert.equal(networkOf('::1'), '::/48')
})

test('counts what a translator made from an IPv4 address as that address (RFC 6052)', () => {
  assert.equal(limitSubject('64:ff9b::192.0.2.7'), '192.0.2.7')
  assert.equal(limitSubject('64:FF9B:0::C000:0207'), '192.0.2.7')
  assert.equal(limitSubject('64:ff9b::7'), '0.0.0.7')
  assert.equal(networkOf('64:ff9b::c000:207'), '192.0.2.0/24')
  assert.equal(limitSubject('64:ff9b::1:c000:207'), '64:ff9b::/64')
  assert.equal(limitSubject('64:ff9b:1::c000:207'), '64:ff9b:1::/64')
  // Proxies are trusted and clients named by what was sent.
  assert.equal(parseAddress('64:ff9b::10.0.0.1'), '64:ff9b::a00:1')
})

test('returns other texts unchanged', () => {
  for (const text of ['', 'unknown', 'fe80::1%eth0']) {
    assert.equal(limitSubject(text), text)
    assert.equal(networkOf(text), text)
  }
})
