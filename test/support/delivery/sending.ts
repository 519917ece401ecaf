import { randomBytes } from 'node:crypto'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import type { Provider } from '../../../server/delivery/provider.ts'
import { createTwilioProvider } from '../../../server/delivery/providers/kinds/twilio.ts'
import { createOutboundHttp } from '../../../server/delivery/providers/outbound-http.ts'
import { selfSignedCertificate } from '../peers/certificate.ts'
import { type HttpPeer, type HttpReply, startHttpPeer } from '../peers/http-peer.ts'
import { type SmtpPeer, type SmtpPeerOptions, startSmtpPeer } from '../peers/smtp-peer.ts'
import { afterFile } from '../runner/after-file.ts'

/** The deployment's Twilio account, with the peer as its API; `timeoutMs` is 5,000 in production. */
export const deploymentTwilio = ({ url }: HttpPeer, { name = 'twilio', timeoutMs = 5_000 } = {}): Provider => {
  const http = createOutboundHttp({ allowPrivate: true, timeoutMs })
  const account = { accountSid: `AC${'0'.repeat(32)}`, authToken: 'token-of-the-deployment' }
  return createTwilioProvider({ name, ...account, from: '+15005550006', baseUrl: url }, http)
}

/** Closes a peer after the tests of the file, even if one of them fails. */
async function kept<P extends { close(): Promise<void> }>(starting: Promise<P>): Promise<P> {
  const peer = await starting
  afterFile(() => peer.close())
  return peer
}

/** Starts the deployment's mail server. */
export const startMailServer = (behaviour: SmtpPeerOptions = {}): Promise<SmtpPeer> => kept(startSmtpPeer(behaviour))

/** The certificate of all tenants' mail servers; trusted by this process from now on. */
const certificate = selfSignedCertificate('localhost')
setDefaultCACertificates([...getCACertificates('default'), certificate.cert])

/** Starts a mail server of a tenant, with TLS. */
export const startTenantSmtp = (behaviour: SmtpPeerOptions = {}): Promise<SmtpPeer> =>
  startMailServer({ certificate, ...behaviour })

/** The tenant's settings for a mail server. */
export const smtpSettings = ({ port }: SmtpPeer, changes: object = {}) => ({
  ...{ type: 'smtp', host: 'localhost', port },
  ...changes,
})

type Reply = Parameters<typeof startHttpPeer>[0]

/** Starts a gateway with this reply. */
export const startGateway = (reply: Reply): Promise<HttpPeer> => kept(startHttpPeer(reply))

/** The secret of a signed HTTP sender. */
export const newWebhookSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`

/** The tenant's settings for a gateway. */
export const httpSettings = ({ url }: HttpPeer, secret = newWebhookSecret()) => ({ type: 'http', url, secret })

/** Twilio's answer to an accepted message. */
export const twilioYes: HttpReply = { status: 201, body: '{"sid":"SM1","status":"queued"}' }
export const startTwilio = (reply: Reply = twilioYes): Promise<HttpPeer> => startGateway(reply)
