import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { recordedLog } from '../../test/support/recorded-log.ts'
import { createClientAddress } from '../limits/client-address.ts'
import { createCallerAddress } from './caller-address.ts'

const client = '203.0.113.9'

/** Reads the caller of a request that this peer forwards for `client`, and counts unnamed proxies. */
function forwardedBy(remoteAddress: string, trustedProxies: string, headers = { 'x-forwarded-for': client } as object) {
  let unnamed = 0
  const read = createCallerAddress(createClientAddress(trustedProxies), recordedLog().logger, () => unnamed++)
  const raw = { headers, socket: { remoteAddress } }
  const { address, subject, network } = read({ raw } as unknown as FastifyRequest, null)
  return { address, subject, network, unnamed }
}

test('believes a trusted proxy on a link-local address, whose zone names the interface', () => {
  const caller = { address: client, subject: client, network: null, unnamed: 0 }
  assert.deepEqual(forwardedBy('fe80::1%eth0', 'fe80::/10'), caller)
  assert.deepEqual(forwardedBy('fe80::1%eth0', 'fe80::1'), caller)
})

test('counts an IPv4 client behind a translator by its address alone, and an IPv6 client by its /48 too', () => {
  const countedAs = (peer: string) => {
    const { subject, network } = forwardedBy(peer, '')
    return [subject, network]
  }
  assert.deepEqual(countedAs('64:ff9b::c000:207'), ['192.0.2.7', null])
  assert.deepEqual(countedAs('2001:db8:0:1::7'), ['2001:db8:0:1::/64', '2001:db8::/48'])
})

const networks = [
  ...['127.0.0.1', '::1', '10.0.0.1', '172.16.0.1', '172.31.255.254', '192.168.0.1', 'fd00::1'],
  ...['100.64.0.1', '100.127.255.254', '169.254.1.2', 'fe80::1%eth0'],
]
for (const peer of networks) {
  test(`counts ${peer} as an unnamed proxy`, () => {
    const { address, unnamed } = forwardedBy(peer, '192.0.2.7')
    assert.deepEqual([address, unnamed], [peer.replace('%eth0', ''), 1])
  })
}

test('counts an unnamed proxy by each header that proxies send, and none without', () => {
  const sent = [{ 'x-forwarded-for': client }, { forwarded: `for=${client}` }, { 'x-real-ip': client }, {}]
  assert.deepEqual(
    sent.map((headers) => forwardedBy('10.0.0.1', '192.0.2.7', headers).unnamed),
    [1, 1, 1, 0],
  )
})

test('counts no unnamed proxy at a public address', () => {
  const peers = [
    '100.128.0.1',
    '169.253.0.1',
    '172.15.255.255',
    '172.32.0.1',
    '192.169.0.1',
    '198.51.100.1',
    '2001:db8::1',
  ]
  for (const peer of peers) assert.equal(forwardedBy(peer, '192.0.2.7').unnamed, 0)
})
