import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress } from './public-address.ts'

const closed = [
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '100.100.100.200', '127.0.0.1', '127.255.255.255', '169.254.169.254'],
  ...['172.16.0.1', '172.31.255.255', '192.0.0.192', '192.168.1.1', '198.18.0.1', '203.0.113.9', '224.0.0.1'],
  ...['240.0.0.1', '255.255.255.255', '168.63.129.16'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', 'fe80::1', 'fe80::1%eth0'],
  ...['fc00::1', 'fd00:ec2::254', 'fec0::1', 'ff02::1', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1'],
  ...['2002:7f00:1::', '2001:0:4136:e378:8000:63bf:3fff:fdd2', '2001:db8::1', '3fff::1', '100::1'],
]

test('classifies special-purpose networks as not public', () => {
  for (const address of closed) assert.equal(isPublicAddress(address), false, address)
})

test('classifies all other addresses as public, up to the edges of those networks', () => {
  for (const address of ['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.255.255'])
    assert.equal(isPublicAddress(address), true, address)
  for (const address of ['172.32.0.0', '192.167.255.255', '223.255.255.255', '2606:4700:4700::1111', '2a00:1450::1'])
    assert.equal(isPublicAddress(address), true, address)
})

test('classifies text that is not an address as not public', () => {
  for (const text of ['', 'localhost', '127.1', '0177.0.0.1', '2130706433', '[::1]', '1.1.1.1:80', ' 1.1.1.1'])
    assert.equal(isPublicAddress(text), false, text)
})
