import { Webhook } from 'standardwebhooks'
import type { DeliveryMethod } from '../../../../contract/accounts/otp.ts'
import type { HttpSettings } from '../../../../contract/senders/http.ts'
import type { Clock } from '../../../core/clock.ts'
import { version } from '../../../core/version.ts'
import type { Provider, RenderedMessage } from '../../provider.ts'
import { httpFailure, isTaken } from '../http-failure.ts'
import { type OutboundHttp, urlProblem } from '../outbound-http.ts'
import type { ProviderKind } from '../provider-kind.ts'

/** E-mail or SMS through any gateway that accepts signed JSON. */
export const http: ProviderKind<HttpSettings> = {
  destinationOf: ({ url }) => new URL(url).host,

  create({ url, secret }, name, method, { http: outbound, clock, allowPrivate }) {
    const problem = urlProblem(url, allowPrivate)
    if (problem !== null) throw new Error(`The url of the sender ${name} ${problem}`)
    return createHttpProvider({ name, method, url, secret, clock }, outbound)
  },

  fromEnvironment: () => null,
}

interface HttpProviderOptions {
  readonly name: string
  readonly method: DeliveryMethod
  readonly url: string
  /** `whsec_` and the base64 of 24 to 64 bytes. */
  readonly secret: string
  readonly clock: Clock
}

/**
 * POSTs messages as JSON, signed with the Standard Webhooks scheme (https://www.standardwebhooks.com). `webhook-id` is the
 * id of the message and the same on every attempt, so a gateway can ignore duplicates. The body of the response is not
 * read, because it may quote the message.
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
      // The time of the attempt, because receivers reject timestamps older than five minutes.
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

/** The JSON body, without `from`: a gateway has its own. */
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
