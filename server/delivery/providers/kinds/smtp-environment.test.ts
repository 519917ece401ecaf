import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../../../settings/read-config.ts'
import { parseMailFrom, parseSmtpUrl } from './smtp-environment.ts'

test('reads host, port, encryption and credentials from SMTP_URL', () => {
  const credentials = { user: 'apikey', password: 'p@ss:/#%' }
  assert.deepEqual(parseSmtpUrl('smtp://apikey:p%40ss%3A%2F%23%25@mail.example'), {
    host: 'mail.example',
    port: 587,
    tls: 'starttls',
    credentials,
  })
  assert.deepEqual(parseSmtpUrl('smtps://user%40example.com:x@mail.example/'), {
    host: 'mail.example',
    port: 465,
    tls: 'implicit',
    credentials: { user: 'user@example.com', password: 'x' },
  })
  assert.deepEqual(parseSmtpUrl('smtp://[::1]:2525?tls=off'), {
    host: '::1',
    port: 2525,
    tls: 'off',
    credentials: null,
  })
  assert.equal(parseSmtpUrl('smtp://smtp.bücher.example').host, 'smtp.xn--bcher-kva.example')
  assert.equal(parseSmtpUrl('smtp://mail_relay:25?tls=off').host, 'mail_relay')
})

test('rejects an invalid SMTP_URL without showing the password', () => {
  for (const [url, words] of [
    ['canary', /must be smtp:\/\/user:password@host/],
    ['http://user:canary@mail.example', /must be smtp:/],
    ['smtp:mail.example', /must be smtp:/],
    ['smtp://', /must be smtp:/],
    ['smtp://user:can#ary@mail.example', /%23/],
    ['smtp://user:c/anary@mail.example', /%2F/],
    ['smtp://user:canary@mail.example/path', /%2F/],
    ['smtp://user:100%canary@mail.example', /write it as %25/],
    ['smtp://user@mail.example', /both user and password/],
    ['smtp://:canary@mail.example', /both user and password/],
    ['smtp://user:canary@mail.example:0', /port 0/],
    ['smtp://mail.example?tls=no', /can say \?tls=off/],
    ['smtps://mail.example?tls=off', /smtps and \?tls at once/],
    ['smtp://mail.example?pool=canary', /only \?tls=off/],
    ['smtp://mail.example?canary=1', /only \?tls=off/],
  ] as const) {
    assert.throws(
      () => parseSmtpUrl(url),
      ({ message }: Error) => words.test(message) && !message.includes('canary'),
      url,
    )
  }
})

test('warns of an unencrypted server that may be outside of the own network', () => {
  const warningsOf = (url: string) => readConfig({ SMTP_URL: url, MAIL_FROM: 'accounts@example.com' }).warnings
  for (const host of ['smtp.example.com', 'smtp.example.com:25', '8.8.8.8', '[2606:4700::1111]']) {
    const [warning = '', ...others] = warningsOf(`smtp://user:canary@${host}?tls=off`)
    assert.match(warning, /^SMTP_URL: \?tls=off sends codes .* unencrypted; remove it unless/, host)
    assert.doesNotMatch(warning, /canary/)
    assert.deepEqual(others, [])
    assert.deepEqual(warningsOf(`smtp://user:canary@${host}`), [])
  }
  const own = ['localhost', '127.0.0.1', '10.0.0.9', '[::1]', '[fd00::1]', 'mailpit', 'mail.ns.svc.cluster.local']
  for (const host of [...own, 'relay.internal', 'relay.internal.']) {
    assert.deepEqual(warningsOf(`smtp://${host}:2525?tls=off`), [], host)
  }
})

test('reads a name and an address, or an address alone, from MAIL_FROM', () => {
  const address = 'accounts@example.com'
  assert.deepEqual(parseMailFrom('Example Accounts <accounts@example.com>'), { address, name: 'Example Accounts' })
  assert.deepEqual(parseMailFrom('"Example, Inc." <accounts@example.com>'), { address, name: 'Example, Inc.' })
  assert.deepEqual(parseMailFrom(' accounts@example.com '), { address, name: null })
  assert.deepEqual(parseMailFrom('<accounts@example.com>'), { address, name: null })
  assert.deepEqual(parseMailFrom('Ünïcode <Ops@Münch.example>'), {
    address: 'Ops@xn--mnch-0ra.example',
    name: 'Ünïcode',
  })
})

test('rejects an ambiguous MAIL_FROM', () => {
  const wrong = [
    '',
    'Example',
    'a@b',
    'Example <a@b.example> x',
    'a@b.example, c@d.example',
    'x@y.example <a@b.example>',
  ]
  const more = [
    '"a" "b" <a@b.example>',
    'Ex\nBcc: <a@b.example>',
    'A <a@b.example\n>',
    '<<a@b.example>>',
    `${'<'.repeat(50_000)}`,
  ]
  for (const text of [...wrong, ...more])
    assert.throws(() => parseMailFrom(text), /must be an address such as/, text.slice(0, 80))
})
