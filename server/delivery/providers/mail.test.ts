import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { deploymentFrom } from '../../../test/support/delivery/sending-service.ts'
import { hostileText, neverAborted, renderedEmail } from '../../../test/support/peers/rendered-message.ts'
import { talking } from '../../../test/support/peers/smtp-talk.ts'
import type { RenderedMessage } from '../provider.ts'

const temporary = { name: 'TemporaryFailure' }

test('sends text and HTML with addresses, headers and Message-ID', async () => {
  await using talk = await talking()
  await talk.provider.send(renderedEmail(), neverAborted)
  const [mail] = talk.peer.received
  assert.deepEqual([mail?.from, mail?.to], ['accounts@example.com', ['mike@example.org']])
  const boundary = '--_NmP-01JD4Z8Q6W0000000000000000-Part_1'
  assert.equal(
    mail?.raw,
    [
      'Auto-Submitted: auto-generated',
      'X-Entity-Ref-ID: 01JD4Z8Q6W0000000000000000',
      'From: Example Accounts <accounts@example.com>',
      'To: mike@example.org',
      'Subject: 8301946275 is your code',
      'Message-ID: <01JD4Z8Q6W0000000000000000@example.com>',
      'Date: Sat, 21 Nov 2026 08:00:00 +0000',
      'MIME-Version: 1.0',
      `Content-Type: multipart/alternative;\r\n boundary="${boundary}"`,
      '',
      `--${boundary}`,
      'Content-Type: text/plain; charset=utf-8',
      'Content-Transfer-Encoding: 7bit',
      '',
      '8301946275 is your code to sign in. It is valid for 10 min. Never share it.',
      `--${boundary}`,
      'Content-Type: text/html; charset=utf-8',
      'Content-Transfer-Encoding: 7bit',
      '',
      '<p>Your code: <b>8301946275</b></p>',
      `--${boundary}--`,
      '',
    ].join('\r\n'),
  )
})

test('sends identical bytes on a retry, over the same connection', async () => {
  await using talk = await talking({}, { connections: 1 })
  await talk.provider.send(renderedEmail(), neverAborted)
  await talk.provider.send(renderedEmail(), neverAborted)
  const [first, second] = talk.peer.received
  assert.equal(first?.raw, second?.raw)
  assert.match(first?.raw ?? '', /^Message-ID: <01JD4Z8Q6W0000000000000000@example\.com>\r$/m)
  assert.equal(talk.peer.connections(), 1)
})

test("prefers the message's From address and uses its domain in the Message-ID", async () => {
  await using talk = await talking()
  const own = { address: 'Hello@Acme.example', name: 'Ännchen "Bob" <x@y.z>' }
  await talk.provider.send(renderedEmail({ from: own, html: null }), neverAborted)
  const [mail] = talk.peer.received
  assert.equal(mail?.from, 'Hello@acme.example')
  assert.match(mail.raw, /^From: =\?UTF-8\?[QB]\?\S+\?= ?(\r\n )?.*<Hello@acme\.example>\r$/m)
  assert.match(mail.raw, /@acme\.example>\r$/m)
  assert.match(mail.raw, /^Content-Type: text\/plain/m)
})

const hostileRecipients = [
  ...[
    'victim@x.example\r\nBcc: evil@y.example',
    '"a@evil.example x"@example.org',
    '<a@b.example>',
    'a@b.example,c@d.example',
  ],
  ...[
    'a@b.example;c@d.example',
    'a@[127.0.0.1]',
    'a(c)@b.example',
    'a',
    '',
    ' a@b.example',
    'A@b.example',
    'admin＠x.example',
  ],
  `${'('.repeat(10_000)}a@b.example`,
]

test('sends nothing to a recipient that is not a single plain address', async () => {
  await using talk = await talking()
  for (const recipient of hostileRecipients)
    await assert.rejects(talk.provider.send(renderedEmail({ recipient }), neverAborted), { name: 'PermanentFailure' })
  assert.equal(talk.peer.connections(), 0)
})

test('sends nothing from an invalid or missing From address and reports it', async () => {
  await using talk = await talking({}, { from: null })
  const message = /set the from-address of the tenant, or MAIL_FROM/
  await assert.rejects(talk.provider.send(renderedEmail(), neverAborted), { ...temporary, message })
  for (const address of ['a@b.example\r\nBcc: evil@y.example', 'a@b.example ', 'a@b.example,c@d.example', 'x']) {
    const hostile = renderedEmail({ from: { address, name: null } })
    await assert.rejects(talk.provider.send(hostile, neverAborted), { ...temporary, message })
  }
  assert.equal(talk.peer.connections(), 0)
})

test('adds no header and no recipient for any subject and name', async () => {
  await using talk = await talking({}, { connections: 1 })
  const injection = fc.oneof(
    hostileText,
    fc.constantFrom(
      'a\r\nBcc: evil@y.example',
      'a\nBcc: evil@y.example\n\nbody',
      'a\u2028Bcc: x',
      'a\r\n.\r\nMAIL FROM:<x@y.example>',
    ),
  )
  const one = ['Auto-Submitted', 'Date', 'From', 'MIME-Version', 'Message-ID', 'To', 'X-Entity-Ref-ID', 'Content-Type']
  // An empty subject has no header, and an empty text no part.
  const perhaps = ['Subject', 'Content-Transfer-Encoding']
  await fc.assert(
    fc.asyncProperty(injection, injection, injection, async (subject, name, text) => {
      const hostile: Partial<RenderedMessage> = { subject, text, from: { ...deploymentFrom, name } }
      await talk.provider.send(renderedEmail(hostile), neverAborted)
      const mail = talk.peer.received.at(-1)
      assert.deepEqual(mail?.to, ['mike@example.org'])
      const head = mail.raw.slice(0, mail.raw.indexOf('\r\n\r\n'))
      const names = [...head.matchAll(/^([^\s:]+):/gm)].map(([, header]) => header)
      assert.equal(new Set(names).size, names.length)
      assert.deepEqual(new Set([...names, ...perhaps]), new Set([...one, ...perhaps]))
      assert.ok(/^[\x20-\x7e\r\n\t]*$/.test(head))
    }),
    { numRuns: 60 },
  )
})
