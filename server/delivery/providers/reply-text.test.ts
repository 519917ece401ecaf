import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canaryCode, hostileText, renderedEmail } from '../../../test/support/peers/rendered-message.ts'
import { threadMs } from '../../../test/support/thread-time.ts'
import { replyText } from './reply-text.ts'

const message = renderedEmail()

test('keeps a reply without quotes, on one line', () => {
  const reply =
    '550-5.1.1 The email account that you tried to reach\r\n550 5.1.1 does not exist. d2e1a72fcca58-20260 - gsmtp'
  const line =
    '550-5.1.1 The email account that you tried to reach 550 5.1.1 does not exist. d2e1a72fcca58-20260 - gsmtp'
  assert.equal(replyText(reply, message), line)
})

test('removes the code in every notation', () => {
  const invisible = [...canaryCode].join('\u200b')
  const fullWidth = [...canaryCode].map((digit) => String.fromCodePoint(0xff10 + Number(digit))).join('')
  const spaced = ['8301-946-275', '83 01 94 62 75', '8.3.0.1.9.4.6.2.7.5', '83019=\r\n46275']
  for (const dress of [canaryCode, `x${canaryCode}y`, `99${canaryCode}`, invisible, fullWidth, ...spaced]) {
    const shown = replyText(`550 5.7.1 no ${dress} here`, message)
    assert.match(shown, /^550 5\.7\.1 no .*•••.* here$/, dress)
    assert.doesNotMatch(shown.replace(/\D/g, ''), /8301|6275/)
  }
})

test('removes text, recipient and encoded blocks, regardless of case and spacing', () => {
  const block = Buffer.from(message.text).toString('base64')
  const reply = `554 <MIKE@example.org> IT IS VALID   FOR 10 MIN. Never  share it. ${block} rejected`
  assert.equal(replyText(reply, message), '554 <•••> ••• ••• rejected')
})

test('recognises text without spaces', () => {
  const japanese = renderedEmail({
    text: '認証コードは483920です。このコードは10分間有効です。誰にも教えないでください。',
    subject: null,
  })
  const shown = replyText('550 このコードは10分間有効です。誰にも教えないでください。 NG', japanese)
  assert.equal(shown, '550 ••• NG')
})

test('truncates to 200 characters after removing quotes', () => {
  const shown = replyText(`550 ${'x'.repeat(190)}${canaryCode}`, message)
  assert.equal(shown.length <= 200, true)
  assert.doesNotMatch(shown, /8301/)
})

test('processes a 64 KB reply quickly', () => {
  const start = threadMs()
  replyText(`${canaryCode} is your code `.repeat(2_500), message)
  replyText('1 '.repeat(32_000), message)
  assert.ok(threadMs() - start < 1_000)
})

test('processes a reply quickly whatever the message is full of', () => {
  const numbers = Array.from({ length: 14_000 }, (_, index) => `${100_000 + index * 7},`).join('')
  const full = [
    { html: numbers },
    { html: '<'.repeat(200_000) },
    { html: '<a '.repeat(60_000) },
    { text: 'ﷺ'.repeat(9_900) },
  ]
  for (const content of full) {
    const start = threadMs()
    replyText('99,'.repeat(20_000), renderedEmail(content))
    assert.ok(threadMs() - start < 1_000, JSON.stringify(content).slice(0, 20))
  }
})

test('hides a code or block that lies where the reading of a long reply ends', () => {
  // A single quote, so that what follows it is not cut off.
  const quotes = `550 ${message.text.slice(11).repeat(40)}`
  const block = Buffer.from(message.text).toString('base64')
  for (const [end, read] of [[canaryCode, 5] as const, [block, 39] as const]) {
    const shown = replyText(`${quotes.slice(0, 2_000 - read)}${end} rejected`, message)
    assert.equal(shown, '550 •••')
  }
})

test('never shows the code, whatever surrounds it', () => {
  fc.assert(
    fc.property(hostileText, hostileText, (before, after) => {
      const shown = replyText(`${before}${canaryCode}${after}`, message)
      assert.ok(!shown.includes(canaryCode))
      assert.ok(shown.isWellFormed() && shown.length <= 200)
    }),
  )
})
