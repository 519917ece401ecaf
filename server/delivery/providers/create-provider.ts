import type { SenderSettings, SmtpSenderSettings } from '../../../contract/delivery-senders.ts'
import type { DeliveryMethod } from '../../../contract/otp.ts'
import type { Clock } from '../../core/clock.ts'
import type { Provider } from '../provider.ts'
import type { DestinationRules } from './destination.ts'
import { createHttpProvider } from './kinds/http.ts'
import { createSmtpProvider, type SmtpProviderOptions, type SmtpServer } from './kinds/smtp.ts'
import { createTwilioProvider } from './kinds/twilio.ts'
import type { MailAddress } from './mail.ts'
import { type OutboundHttp, urlProblem } from './outbound-http.ts'

/** What a provider needs beside its settings. The rules of `http` should be the same as those given here. */
export interface ProviderContext extends DestinationRules {
  readonly http: OutboundHttp
  readonly clock: Clock
  /** Where e-mail comes from when the message does not say. */
  readonly from: MailAddress | null
  /** For SMTP: how many connections, how long to wait, whom to trust. */
  readonly smtp?: Pick<SmtpProviderOptions, 'connections' | 'messagesPerConnection' | 'timeouts' | 'ca'>
}

/**
 * A provider as its settings say. Connects to nothing before its first message.
 * @param name unique within its list, see `senderNames`
 * @throws Error in plain words, without secrets, for settings that could never send here
 */
export function createProvider(
  settings: SenderSettings,
  name: string,
  method: DeliveryMethod,
  { http, clock, from, smtp, allowPrivate, lookup }: ProviderContext,
): Provider {
  switch (settings.type) {
    case 'smtp':
      return createSmtpProvider({ ...smtp, ...smtpServer(settings), name, from, allowPrivate, lookup })
    case 'twilio': {
      const { accountSid, authToken, messagingServiceSid } = settings
      return createTwilioProvider({ name, accountSid, authToken, from: settings.from, messagingServiceSid }, http)
    }
    case 'http': {
      const { url, secret } = settings
      const problem = urlProblem(url, allowPrivate)
      if (problem !== null) throw new Error(`The url of the sender ${name} ${problem}`)
      return createHttpProvider({ name, method, url, secret, clock }, http)
    }
  }
}

/** Settings never turn TLS off: a tenant's codes do not cross the internet in clear. */
function smtpServer({ host, port, secure = port === 465, user, password }: SmtpSenderSettings): SmtpServer {
  const credentials = user === undefined || password === undefined ? null : { user, password }
  return { host, port, tls: secure ? 'implicit' : 'starttls', credentials }
}
