import { Webhook } from 'standardwebhooks'
import type { DeliveryMethod } from '../../../../contract/otp.ts'
import type { Clock } from '../../../core/clock.ts'
import { version } from '../../../core/version.ts'
import type { Provider, RenderedMessage } from '../../provider.ts'
import { httpFailure, isTaken } from '../http-failure.ts'
import type { OutboundHttp } from '../outbound-http.ts'

/** A gateway that takes messages as signed JSON. */
export interface HttpProviderOptions {
  readonly name: string
  readonly method: DeliveryMethod
  readonly url: string
  /** `whsec_` and the base64 of 24 to 64 bytes. */
  readonly secret: string
  readonly clock: Clock
}

/**
 * Any gateway by HTTP: POSTs the message as JSON, signed by the Standard Webhooks scheme
 * (https://www.standardwebhooks.com). `webhook-id` is the message's id, the same on every attempt: a gateway that
 * remembers ids sends nothing twice. What the gateway says beside its status is not read: it may quote the message.
 */
export function createHttpProvider(
  { name, method, url, secret, clock }: HttpProviderOptions,
  http: OutboundHttp,
): Provider {
  const webhook = new Webhook(secret)
  return {
    name,
    method,
    async send(message, signal) {
      const body = JSON.stringify(payload(message))
      // The attempt's time, not the message's: receivers refuse what is older than five minutes.
      const now = new Date(clock.now())
      const headers = {
        'content-type': 'application/json',
        'user-agent': `Tenantry/${version}`,
        'webhook-id': message.id,
        'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
        'webhook-signature': webhook.sign(message.id, now, body),
      }
      const answer = await http.post(url, { headers, body }, signal)
      if (!isTaken(answer)) throw httpFailure(answer, new URL(url).hostname, '')
    },
    async close() {},
  }
}

/** What a gateway is told. `from` stays here: it is the business of e-mail servers. */
function payload({
  id,
  tenantId,
  kind,
  scope,
  method,
  recipient,
  locale,
  subject,
  text,
  html,
  createdAt,
}: RenderedMessage) {
  const time = new Date(createdAt).toISOString()
  return { id, tenantId, kind, scope, method, recipient, locale, subject, text, html, createdAt: time }
}
