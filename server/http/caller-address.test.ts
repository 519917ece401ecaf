import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { recordedLog } from '../../test/support/recorded-log.ts'
import { createClientAddress } from '../limits/client-address.ts'
import { createCallerAddress } from './caller-address.ts'

/** Reads the caller of a request that this peer forwards for 203.0.113.9, and counts unnamed proxies. */
function forwardedBy(remoteAddress: string, trustedProxies: string) {
  let unnamed = 0
  const read = createCallerAddress(createClientAddress(trustedProxies), recordedLog().logger, () => unnamed++)
  const raw = { headers: { 'x-forwarded-for': '203.0.113.9' }, socket: { remoteAddress } }
  const { address, subject } = read({ raw } as unknown as FastifyRequest, null)
  return { address, subject, unnamed }
}

test('believes a trusted proxy on a link-local address, whose zone names the interface', () => {
  const caller = { address: '203.0.113.9', subject: '203.0.113.9', unnamed: 0 }
  assert.deepEqual(forwardedBy('fe80::1%eth0', 'fe80::/10'), caller)
  assert.deepEqual(forwardedBy('fe80::1%eth0', 'fe80::1'), caller)
})

for (const peer of ['fe80::1%eth0', '169.254.1.2', '100.64.0.1', '100.127.255.254', '10.0.0.1', 'fd00::1', '::1']) {
  test(`counts ${peer} as an unnamed proxy`, () => {
    const { address, unnamed } = forwardedBy(peer, '192.0.2.7')
    assert.deepEqual([address, unnamed], [peer.replace('%eth0', ''), 1])
  })
}

test('counts no unnamed proxy at a public address', () => {
  for (const peer of ['100.128.0.1', '169.253.0.1', '198.51.100.1', '2001:db8::1'])
    assert.equal(forwardedBy(peer, '192.0.2.7').unnamed, 0)
})
