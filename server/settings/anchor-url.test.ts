import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anchorUrl } from './anchor-url.ts'

test('an anchor is an https URL or a file', () => {
  assert.equal(anchorUrl(undefined, false), null)
  for (const url of [
    'https://audit.example.com/heads?key=1',
    'https://10.0.0.1:8443/',
    'file:/mnt/worm/heads',
    'file:///mnt/worm/heads.ndjson',
    'file:/mnt/worm/heads%20of%23logs',
  ])
    assert.equal(anchorUrl(url, false), url)
})

test('plain http is for development and this machine', () => {
  for (const url of ['http://127.0.0.1:9000/heads', 'http://localhost/', 'http://[::1]:9000/']) {
    assert.equal(anchorUrl(url, true), url)
    assert.throws(() => anchorUrl(url, false), /must begin with https:\/\//)
  }
  assert.throws(() => anchorUrl('http://audit.example.com', true), /must begin with https:\/\//)
  assert.throws(() => anchorUrl('http://127.0.0.1.example.com', true), /must begin with https:\/\//)
})

test('an invalid anchor is refused, and its URL is not quoted', () => {
  const wrong: [string, RegExp][] = [
    ['secret', /must be a URL/],
    ['https://a b', /must be a URL/],
    ['ftp://secret', /must be a URL/],
    ['https://user:secret@audit.example.com', /user name or password/],
    ['https://audit.example.com/#secret', /fragment/],
    ['file://secret/heads', /file on this machine/],
    ['file:secret', /file on this machine/],
    ['file:./secret/heads', /file on this machine/],
    ['file:/mnt/secret/', /file on this machine/],
    ['file:/mnt/secret#1', /invalid character/],
    ['file:/mnt/secret?', /invalid character/],
    ['file:/mnt/secret%2Fheads', /invalid character/],
    ['file:/mnt/secret%', /invalid character/],
    ['file:/mnt/secret%00', /invalid character/],
  ]
  for (const [url, message] of wrong) {
    assert.throws(
      () => anchorUrl(url, true),
      (error: Error) => message.test(error.message) && !error.message.includes('secret'),
    )
  }
})
