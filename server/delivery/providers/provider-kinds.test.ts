import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EmailSender, type SenderSettings, SmsSender } from '../../../contract/senders/delivery-senders.ts'
import { selfSignedCertificate } from '../../../test/support/peers/certificate.ts'
import { startHttpPeer } from '../../../test/support/peers/http-peer.ts'
import { neverAborted, renderedEmail, renderedSms } from '../../../test/support/peers/rendered-message.ts'
import { startSmtpPeer } from '../../../test/support/peers/smtp-peer.ts'
import { readSourceFiles } from '../../../test/support/source-files.ts'
import { systemClock } from '../../core/clock.ts'
import { createOutboundHttp } from './outbound-http.ts'
import type { ProviderContext } from './provider-kind.ts'
import { createProvider } from './provider-kinds.ts'

const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
const from = { address: 'accounts@example.com', name: null }
const inside: ProviderContext = {
  allowPrivate: true,
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  http: createOutboundHttp({ allowPrivate: true }),
  clock: systemClock,
}

test('creates an SMTP provider that authenticates over STARTTLS or implicit TLS', async () => {
  const certificate = selfSignedCertificate('mail.example')
  const credentials = { user: 'apikey', password: 'secret' }
  for (const secure of [false, true]) {
    const peer = await startSmtpPeer({ certificate, secure, credentials })
    const settings = EmailSender.parse({ type: 'smtp', host: 'mail.example', port: peer.port, secure, ...credentials })
    const provider = createProvider(settings, 'smtp', 'email', { ...inside, ca: certificate.cert })
    await provider.send(renderedEmail({ from }), neverAborted)
    assert.deepEqual([provider.name, provider.method, peer.received[0]?.secure], ['smtp', 'email', true])
    await provider.close()
    await peer.close()
  }
})

test('creates an HTTP provider for the method of its list', async () => {
  const peer = await startHttpPeer({ status: 200 })
  const settings = SmsSender.parse({ type: 'http', url: `${peer.url}/sms`, secret })
  const provider = createProvider(settings, 'gateway', 'sms', inside)
  await provider.send(renderedSms(), neverAborted)
  await peer.close()
  assert.deepEqual([provider.name, provider.method, peer.requests[0]?.path], ['gateway', 'sms', '/sms'])
})

test('creates a Twilio provider that connects to api.twilio.com only', async () => {
  const asked: string[] = []
  const lookup = async (host: string) => {
    asked.push(host)
    return [{ address: '127.0.0.1', family: 4 }]
  }
  const http = createOutboundHttp({ allowPrivate: false, lookup })
  const accountSid = `AC${'0'.repeat(32)}`
  const settings: SenderSettings = { type: 'twilio', accountSid, authToken: '0'.repeat(32), from: '+15005550006' }
  const provider = createProvider(settings, 'twilio', 'sms', { ...inside, http })
  await assert.rejects(provider.send(renderedSms(), neverAborted), {
    name: 'TemporaryFailure',
    message: /not on the public internet/,
  })
  assert.deepEqual(asked, ['api.twilio.com'])
})

test('refuses a gateway with http in production, without showing its URL', () => {
  const settings: SenderSettings = { type: 'http', url: 'http://sms.example/canary', secret }
  assert.throws(() => createProvider(settings, 'gateway', 'sms', { ...inside, allowPrivate: false }), {
    message: 'The url of the sender gateway must begin with https://',
  })
})

test('names a kind only in its own files, in the two registries, in the generated forms and in examples', () => {
  const own = /^(?:contract\/senders|server\/delivery\/providers\/kinds)\/(smtp|twilio|http)[a-z-]*\.ts$/
  const lists = [
    'contract/senders/delivery-senders.ts',
    'contract/senders/generated/sender-forms.ts',
    'server/delivery/providers/provider-kinds.ts',
  ]
  const files = readSourceFiles().filter(
    ({ path, isTest }) => !isTest && /^(?:contract|server|cli|console)\//.test(path),
  )
  // The examples of the API show one sender, and its name in messages.
  const mayName = (path: string) => lists.includes(path) || path.startsWith('server/http/openapi/examples/')
  // `http` is also a protocol, so only the other kinds can be searched for.
  const strangers = files.filter(
    ({ path, text }) => !own.test(path) && !mayName(path) && /\bsmtp|twilio/i.test(withoutComments(text)),
  )
  assert.deepEqual(
    strangers.map(({ path }) => path),
    [],
  )
})

const withoutComments = (text: string) => text.replace(/\/\*[\s\S]*?\*\/|\/\/ .*$/gm, '')
