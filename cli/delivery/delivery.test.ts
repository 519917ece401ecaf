import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { type HttpPeer, startHttpPeer } from '../../test/support/peers/http-peer.ts'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { type } from '../terminal/terminal.testkit.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const phone = '+33612345678'

let development: TestService
let production: TestService
let gateway: HttpPeer
/** The gateway's status for every path except `/deaf`, which rejects every message. */
let status = 204
let folder: string

before(async () => {
  gateway = await startHttpPeer(({ path }) => ({ status: path === '/deaf' ? 401 : status }))
  development = await startTestService()
  production = await startTestService({ environment: 'production', allowPrivateDestinations: true })
  folder = await mkdtemp(join(tmpdir(), 'tenantry-cli-'))
})
after(async () => {
  await development.close()
  await production.close()
  await gateway.close()
  await rm(folder, { recursive: true })
})

const world = (service: TestService) => ({
  env: { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey },
  folder,
})
/** Runs a command with the tenant appended. */
const said = (service: TestService, tenant: string, ...words: string[]) =>
  type([...words, '--tenant', tenant], world(service))

const sender = (name: string, path = '') => ({ type: 'http', name, url: `${gateway.url}/${path}`, secret })
const tenantWith = (delivery: Record<string, unknown>) =>
  production.addTenant({ methods: ['otp'], configuration: { delivery } })

test('shows which senders accepted a test message and which failed', async () => {
  const { tenantId } = await tenantWith({ sms: [sender('first', 'deaf'), sender('second')] })
  const { exitCode, output, errors } = await said(production, tenantId, 'delivery', 'test', '--sms', phone)
  assert.equal(errors, '')
  assert.equal(exitCode, 0)
  assert.equal(
    output,
    `SENDER  RESULT
first   127.0.0.1 did not accept our credentials (401): check the settings of this sender
second  accepted

Sent to ${phone} once by each sender that accepted the message. Check that it arrives.
1 of 2 senders failed. Fix them:
Check user and password, or the token. The provider may have rotated them.
See docs/guides/first-e-mail-and-sms.md for all steps.
`,
  )
  const words = ['delivery', 'test', '--sms', phone, '--sender', 'second', '--kind', 'reset_password', '--json']
  assert.deepEqual(JSON.parse((await said(production, tenantId, ...words)).output), {
    delivered: true,
    sender: 'second',
    problem: null,
    attempts: [{ sender: 'second', problem: null }],
  })
})

test('exits with 1 and advice if no sender accepts a test message', async () => {
  const { tenantId } = await tenantWith({ sms: [sender('first', 'deaf')] })
  const sms = await said(production, tenantId, 'delivery', 'test', '--sms', phone)
  assert.equal(sms.exitCode, 1)
  assert.match(sms.output, /^SENDER {2}RESULT\nfirst {3}127\.0\.0\.1 did not accept our credentials/)
  assert.match(sms.errors, /^No sender accepted the message\.\nCheck user and password, or the token/)
  const email = await said(production, tenantId, 'delivery', 'test', '--email', 'ada@example.com')
  assert.equal(email.exitCode, 1)
  assert.equal(email.output, 'No sender of email is set up\n')
  assert.match(
    email.errors,
    /^No sender accepted the message\.\nSet SMTP_URL and MAIL_FROM in the server's environment/,
  )
  const inJson = await said(production, tenantId, 'delivery', 'test', '--email', 'ada@example.com', '--json')
  assert.equal(inJson.exitCode, 1)
  assert.equal(JSON.parse(inJson.output).delivered, false)
})

test('refers to the inbox outside production, which shows the message', async () => {
  const { tenantId } = await development.addTenant()
  const { exitCode, output } = await said(development, tenantId, 'delivery', 'test', '--email', 'ada@example.com')
  assert.equal(exitCode, 0)
  assert.equal(
    output,
    'Posted to the testing channel; nothing is sent to ada@example.com outside production.\nRead the message with "tenantry inbox".\n',
  )
  assert.match((await said(development, tenantId, 'inbox')).output, /^\S+ {2}email {2}ada@example\.com {2}otp_signin /)
})

test('previews a message and writes its HTML to a file', async () => {
  const { tenantId } = await development.addTenant()
  const words = ['delivery', 'preview', '--kind', 'reset_password', '--method', 'email', '--locale', 'fr']
  const { exitCode, output } = await said(development, tenantId, ...words, '--html', 'mail.html')
  assert.equal(exitCode, 0)
  assert.match(output, /^subject {2}\S.*Test tenant.*\nlocale {3}fr\n\n/)
  assert.match(output, /\n\n482913\n\n/)
  assert.match(output, /\n\nThe HTML part was written to mail\.html\.\n$/)
  assert.match(await readFile(join(folder, 'mail.html'), 'utf8'), /^<!doctype html>[\s\S]*482913/i)
  const nowhere = await said(development, tenantId, ...words, '--html', 'no/such/folder/mail.html')
  assert.equal(nowhere.exitCode, 1)
  assert.match(nowhere.errors, /^Failed to write no\/such\/folder\/mail\.html: its folder does not exist; /)
})

test('previews a notice with an undo code, and without one with --no-undo', async () => {
  const { tenantId } = await development.addTenant()
  const words = ['delivery', 'preview', '--kind', 'phone_changed', '--method', 'sms']
  const withUndo = await said(development, tenantId, ...words)
  assert.match(withUndo.output, /within 72 hours: .* code 48291375 and reference [0-9A-Z]{26}\.\n$/)
  const without = await said(development, tenantId, ...words, '--no-undo')
  assert.equal(without.exitCode, 0)
  assert.match(without.output, /^locale {2}en\n\nTest tenant: the phone number [^\d]* contact support immediately\.\n$/)
})

test('previews templates from a file and reports their problems', async () => {
  const { tenantId } = await development.addTenant()
  const words = ['delivery', 'preview', '--kind', 'otp_signin', '--method', 'sms', '--templates', 'own.json']
  const own = (text: string) =>
    writeFile(join(folder, 'own.json'), JSON.stringify({ otp_signin: { sms: { en: { text } } } }))
  await own('{{ tenant }}: {{ code }}')
  const sms = await said(development, tenantId, ...words)
  assert.equal(sms.output, 'locale  en\n\nTest tenant: 482913\n')
  await own('{{ kode }}')
  const wrong = await said(development, tenantId, ...words)
  assert.equal(wrong.exitCode, 1)
  assert.match(wrong.errors, /\n {2}templates\.otp_signin\.sms\.en\.text: There is no variable kode for otp_signin\./)
})

test('lists and filters messages, and retries a failed one', async () => {
  const { tenantId, client } = await tenantWith({ sms: [sender('gateway')] })
  const empty = await said(production, tenantId, 'messages', 'list')
  assert.equal(empty.output, 'No messages found.\n')
  status = 422
  const { id: otpId } = await client.issueOtp({ scope: 'otp_signin', phone })
  await production.service.services.delivery.drain()
  const listed = await said(production, tenantId, 'messages', 'list', '--state', 'failed', '--to', phone)
  const [head, row, ...rest] = listed.output.trimEnd().split('\n')
  assert.match(head ?? '', /^ID +ABOUT +BY +TO +STATE +ATTEMPTS +CREATED +SENDER +LAST ERROR$/)
  assert.match(
    row ?? '',
    /otp_signin +sms +\+33612345678 +failed +1 .* gateway: 127\.0\.0\.1 refused the message \(422\)/,
  )
  assert.deepEqual(rest, [])
  status = 204
  const messageId = row?.split(' ')[0] ?? ''
  const retried = await said(production, tenantId, 'messages', 'retry', messageId)
  assert.match(retried.output, new RegExp(`^id {12}${messageId}\nabout {9}otp_signin\n[\\s\\S]*state {9}queued\n`))
  await production.service.services.delivery.drain()
  const [sent] = JSON.parse((await said(production, tenantId, 'messages', 'list', '--otp', otpId, '--json')).output)
  assert.deepEqual([sent.state, sent.sender], ['sent', 'gateway'])
  const again = await said(production, tenantId, 'messages', 'retry', messageId)
  assert.equal(again.exitCode, 1)
  assert.match(again.errors, /\(MESSAGE_NOT_RETRYABLE, 422\)/)
  const unknown = await said(production, tenantId, 'messages', 'retry', '01M7YRQNCSESKNDNW73532ZP9R')
  assert.match(unknown.errors, /"tenantry messages list" to see/)
})

test('lists the newest messages up to the limit', async () => {
  const { tenantId, client } = await tenantWith({ sms: [sender('gateway')] })
  const otps: string[] = []
  for (let made = 0; made < 4; made++) {
    production.clock.advance(1)
    otps.push((await client.issueOtp({ scope: 'otp_signin', phone })).id)
  }
  const { output } = await said(production, tenantId, 'messages', 'list', '--limit', '3', '--json')
  const listed = JSON.parse(output) as { otpId: string }[]
  assert.deepEqual(
    listed.map(({ otpId }) => otpId),
    otps.toReversed().slice(0, 3),
  )
})

test('exits with 2 on options that do not fit together', async () => {
  const { tenantId } = await development.addTenant()
  for (const words of [
    ['delivery', 'test'],
    ['delivery', 'test', '--email', 'a@example.com', '--sms', phone],
    ['delivery', 'preview', '--kind', 'otp_signin'],
    ['delivery', 'preview', '--kind', 'otp_signin', '--method', 'sms', '--html', 'x.html'],
    ['messages', 'list', '--state', 'lost'],
    ['messages', 'list', '--limit', '0'],
    ['messages', 'retry'],
  ]) {
    const { exitCode, errors } = await said(development, tenantId, ...words)
    assert.equal(exitCode, 2, words.join(' '))
    assert.match(errors, /--help/)
  }
})
