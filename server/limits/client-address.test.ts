import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleSize } from '../../test/support/runner/sample-size.ts'
import { createClientAddress } from './client-address.ts'

const direct = createClientAddress('')
const behind = createClientAddress('10.0.0.0/8, 192.0.2.7,fd00::/8 , 2001:db8::7')

test('ignores X-Forwarded-For without trusted proxies (threat F18)', () => {
  assert.equal(direct.of('203.0.113.9', '198.51.100.1'), '203.0.113.9')
  assert.equal(direct.of('127.0.0.1', '198.51.100.1'), '127.0.0.1')
  assert.equal(direct.of('::ffff:203.0.113.9', undefined), '203.0.113.9')
  assert.equal(direct.of('2001:DB8::1', undefined), '2001:db8::1')
})

test('ignores X-Forwarded-For from a peer that is not a trusted proxy (threat F18)', () => {
  assert.equal(behind.of('203.0.113.9', '198.51.100.1'), '203.0.113.9')
  assert.equal(behind.of('11.0.0.1', '198.51.100.1'), '11.0.0.1')
})

const walks: [name: string, peer: string, forwardedFor: string | undefined, client: string][] = [
  ['the one hop', '10.0.0.1', '203.0.113.9', '203.0.113.9'],
  ['the right-most untrusted hop', '10.0.0.1', '198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['past trusted hops', '10.0.0.1', '198.51.100.1,203.0.113.9 ,\t192.0.2.7,10.2.3.4', '203.0.113.9'],
  ['a mapped peer and mapped hops', '::ffff:10.0.0.1', '203.0.113.9, ::ffff:10.0.0.2', '203.0.113.9'],
  ['hex-mapped, upper-case hops', '10.0.0.1', '::FFFF:CB00:7109, ::FFFF:0A00:0002', '203.0.113.9'],
  ['IPv6 proxies and clients', 'fd12::1', '2001:DB8::9, 2001:db8:0::7', '2001:db8::9'],
  ['the left-most when all are trusted', '10.0.0.1', '10.0.0.3,10.0.0.2', '10.0.0.3'],
  ['the peer without a header', '10.0.0.1', undefined, '10.0.0.1'],
  ['the peer with an empty header', '10.0.0.1', '', '10.0.0.1'],
  ['the peer when the last hop is malformed', '10.0.0.1', '203.0.113.9, unknown', '10.0.0.1'],
  ['the last good one when a hop is malformed', '10.0.0.1', '203.0.113.9, x, 10.0.0.2', '10.0.0.2'],
  ['the last good one when a hop is empty', '10.0.0.1', '203.0.113.9,,10.0.0.2', '10.0.0.2'],
  ['the last good one when the list ends in a comma', '10.0.0.1', '203.0.113.9,', '10.0.0.1'],
  ['the last good one when the list begins with a comma', '10.0.0.1', ',10.0.0.2', '10.0.0.2'],
  ['hops without their ports', '10.0.0.1', '198.51.100.1:80, 203.0.113.9:1234, 192.0.2.7:65535', '203.0.113.9'],
  ['IPv6 hops without brackets and ports', '10.0.0.1', '[2001:DB8::9]:1234, [2001:db8::7]', '2001:db8::9'],
  ['a mapped hop without its port', '10.0.0.1', '[::ffff:203.0.113.9]:1234', '203.0.113.9'],
  ['the peer when a port is malformed', '10.0.0.1', '203.0.113.9:', '10.0.0.1'],
  ['the peer when a port is not a number', '10.0.0.1', '203.0.113.9:_port', '10.0.0.1'],
  ['the peer when a hop has two ports', '10.0.0.1', '203.0.113.9:1:2', '10.0.0.1'],
  ['the peer when brackets hold no IPv6 address', '10.0.0.1', '[203.0.113.9]:1234', '10.0.0.1'],
  ['the peer when a bracket is open', '10.0.0.1', '[2001:db8::9:1234', '10.0.0.1'],
  ['the peer when a hop has a zone', '10.0.0.1', 'fe80::1%eth0', '10.0.0.1'],
  ['the peer when the header is RFC 7239', '10.0.0.1', 'for=203.0.113.9', '10.0.0.1'],
  ['a Unix socket as it is', '', '203.0.113.9', ''],
]

for (const [name, peer, forwardedFor, client] of walks) {
  test(`uses ${name} (threat F18)`, () => assert.equal(behind.of(peer, forwardedFor), client))
}

test('uses the hop that the proxy added, whatever clients send (threat F18)', () => {
  const claim = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constantFrom('10.0.0.1', '', ' ', ',', 'unknown'))
  fc.assert(
    fc.property(fc.array(claim, { maxLength: 10 }), (claims) => {
      assert.equal(behind.of('10.0.0.1', [...claims, '203.0.113.9'].join(', ')), '203.0.113.9')
    }),
    { numRuns: sampleSize(1000) },
  )
})

test('reads a mapped range as an IPv4 range and ignores host bits', () => {
  const mapped = createClientAddress('::ffff:10.1.2.3/104')
  assert.equal(mapped.of('10.200.0.1', '203.0.113.9'), '203.0.113.9')
  assert.equal(mapped.of('11.0.0.1', '203.0.113.9'), '11.0.0.1')
  assert.equal(createClientAddress('10.1.2.3/8').of('10.200.0.1', '203.0.113.9'), '203.0.113.9')
})

test('rejects anything but addresses and ranges', () => {
  for (const [text, message] of [
    [
      '10.0.0.0/8,proxy.local',
      /TENANTRY_TRUSTED_PROXIES: "proxy.local" is not an IP address or range; use .*10\.0\.0\.0\/8/,
    ],
    ['true', /"true" is not an IP address/],
    ['10.0.0', /"10.0.0" is not an IP address/],
    ['10.0.0.0/8/8', /"10.0.0.0\/8\/8" is not an IP address/],
    ['10.0.0.0/', /"10.0.0.0\/" needs a prefix from 1 to 32/],
    ['10.0.0.0/33', /needs a prefix from 1 to 32/],
    ['10.0.0.0/-1', /needs a prefix/],
    ['10.0.0.0/255.0.0.0', /needs a prefix/],
    ['fd00::/129', /needs a prefix from 1 to 128/],
    ['0.0.0.0/0', /would trust every address/],
    ['::/0', /would trust every address/],
    ['::ffff:0.0.0.0/96', /would trust every address/],
    ['fe80::1%eth0', /is not an IP address/],
  ] as const) {
    assert.throws(() => createClientAddress(text), { name: 'Error', message }, text)
  }
})
