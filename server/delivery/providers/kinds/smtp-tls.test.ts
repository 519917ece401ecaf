import assert from 'node:assert/strict'
import net from 'node:net'
import { after, test } from 'node:test'
import { createServer } from 'node:tls'
import { listenOnLoopback } from '../../../../test/support/loopback.ts'
import { selfSignedCertificate } from '../../../../test/support/peers/certificate.ts'
import { neverAborted, renderedEmail } from '../../../../test/support/peers/rendered-message.ts'
import { type SmtpPeer, type SmtpStep, startSmtpPeer } from '../../../../test/support/peers/smtp-peer.ts'
import type { NameLookup } from '../destination.ts'
import { createSmtpProvider, type SmtpProviderOptions } from './smtp.ts'

const certificate = selfSignedCertificate('mail.example')
const starttls = await startSmtpPeer({ certificate })
const implicit = await startSmtpPeer({ certificate, secure: true })
const clear = await startSmtpPeer()
after(() => Promise.all([starttls, implicit, clear].map((peer) => peer.close())))

const loopback: NameLookup = async () => [{ address: '127.0.0.1', family: 4 }]

/** Sends one message to the peer, under the name the certificate is for. */
async function send({ port }: Pick<SmtpPeer, 'port'>, changes: Partial<SmtpProviderOptions> = {}): Promise<void> {
  const provider = createSmtpProvider({
    name: 'smtp',
    host: 'mail.example',
    port,
    tls: 'starttls',
    credentials: null,
    from: { address: 'accounts@example.com', name: null },
    allowPrivate: true,
    lookup: loopback,
    ...changes,
  })
  await provider.send(renderedEmail(), neverAborted).finally(() => provider.close())
}

const temporary = (message: RegExp) => ({ name: 'TemporaryFailure', message })

test('encrypts messages with a trusted certificate for the host, by STARTTLS or implicit TLS', async () => {
  await send(starttls, { ca: certificate.cert })
  await send(implicit, { ca: certificate.cert, tls: 'implicit' })
  assert.deepEqual(
    [...starttls.received, ...implicit.received].map(({ secure }) => secure),
    [true, true],
  )
})

test('rejects an untrusted certificate, or one for another host, before sending a message', async () => {
  const before = starttls.received.length + implicit.received.length
  const untrusted = temporary(/^mail\.example has a certificate that is not trusted \(DEPTH_ZERO_SELF_SIGNED_CERT\)$/)
  await assert.rejects(send(starttls), untrusted)
  await assert.rejects(send(implicit, { tls: 'implicit' }), untrusted)
  const other = { host: 'other.example', ca: certificate.cert }
  const misnamed = temporary(/^other\.example has a certificate that is not trusted \(ERR_TLS_CERT_ALTNAME_INVALID\)$/)
  await assert.rejects(send(starttls, other), misnamed)
  await assert.rejects(send(implicit, { ...other, tls: 'implicit' }), misnamed)
  await assert.rejects(send(starttls, { ...other, host: '127.0.0.1' }), temporary(/not trusted/))
  assert.equal(starttls.received.length + implicit.received.length, before)
})

test('sends nothing unencrypted to a server without STARTTLS', async () => {
  await assert.rejects(send(clear), temporary(/^mail\.example does not offer STARTTLS \(50\d\)$/))
  await assert.rejects(
    send(clear, { tls: 'implicit' }),
    temporary(/^mail\.example could not agree on a TLS version or cipher/),
  )
  assert.deepEqual(clear.received, [])
})

test('names the TLS error of a server without a common cipher', async () => {
  const server = createServer({})
  const port = await listenOnLoopback(server)
  const words =
    /^mail\.example could not agree on a TLS version or cipher \(ERR_SSL_SSL(\/TLS|V3)_ALERT_HANDSHAKE_FAILURE\)$/
  await assert.rejects(send({ port }, { tls: 'implicit' }), temporary(words))
  server.close()
})

test('says that a server does not speak SMTP', async () => {
  for (const at of ['banner', 'mail', 'rcpt', 'data'] as const) {
    const server = net.createServer((socket) => speakSmtpUntil(at, socket))
    const port = await listenOnLoopback(server)
    await assert.rejects(
      send({ port }, { tls: 'off' }),
      temporary(/^mail\.example gave an answer that is not SMTP$/),
      at,
    )
    server.close()
  }
})

/** Answers each command until this step, then with a line of another protocol. */
function speakSmtpUntil(at: SmtpStep, socket: net.Socket): void {
  const answers = { banner: '220 hello', ehlo: '250 hello', mail: '250 ok', rcpt: '250 ok', data: '354 go on' }
  const steps = Object.entries(answers)
  const answer = () => {
    const [step, text] = steps.shift() ?? []
    socket.write(step === at ? '+OK ready\r\n' : `${text}\r\n`)
  }
  socket.on('error', () => {}).on('data', answer)
  answer()
}

test('allows turning TLS off for private servers only', async () => {
  await send(clear, { tls: 'off' })
  assert.equal(clear.received[0]?.secure, false)
  await assert.rejects(send(clear, { tls: 'off', allowPrivate: false }), /TLS can be off for a private server only/)
})

test("does not connect to a tenant's server at a private address, in any notation", async () => {
  const before = clear.connections()
  for (const host of [
    'mail.example',
    '127.0.0.1',
    '2130706433',
    '0177.0.0.1',
    '::1',
    '::ffff:7f00:1',
    '169.254.169.254',
  ])
    await assert.rejects(send(clear, { host, allowPrivate: false }), temporary(/is not on the public internet/))
  assert.equal(clear.connections(), before)
})

test('resolves a host once per connection', async () => {
  let asked = 0
  const rebinding: NameLookup = async () => [{ address: asked++ === 0 ? '127.0.0.2' : '127.0.0.1', family: 4 }]
  const before = clear.connections()
  const timeouts = { connectMs: 150 }
  await assert.rejects(send(clear, { allowPrivate: true, lookup: rebinding, timeouts }), temporary(/^mail\.example /))
  assert.deepEqual([asked, clear.connections()], [1, before])
})
