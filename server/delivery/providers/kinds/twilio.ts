import { maskedSecret } from '../../../../contract/senders/sender-kind.ts'
import { twilio as contract, type TwilioSettings } from '../../../../contract/senders/twilio.ts'
import { PermanentFailure, type Provider, type RenderedMessage, TemporaryFailure } from '../../provider.ts'
import { httpFailure, isTaken } from '../http-failure.ts'
import { createOutboundHttp, type OutboundAnswer, type OutboundHttp } from '../outbound-http.ts'
import type { ProviderKind } from '../provider-kind.ts'
import { replyText } from '../reply-text.ts'

/** SMS through Twilio. */
export const twilio: ProviderKind<TwilioSettings> = {
  destinationOf: ({ accountSid }) => accountSid,

  create: (settings, name, _method, { http }) => createTwilioProvider({ ...settings, name }, http),

  fromEnvironment(environment) {
    const given = {
      accountSid: environment.text('TWILIO_ACCOUNT_SID'),
      authToken: environment.secret('TWILIO_AUTH_TOKEN', 'unset'),
      from: environment.text('TWILIO_FROM'),
    }
    const settings = environment.attempt('TWILIO_ACCOUNT_SID', () => parseTwilioEnvironment(given), null)
    const http = () => createOutboundHttp({ allowPrivate: false })
    return settings && (() => createTwilioProvider({ ...settings, name: 'twilio' }, http()))
  },
}

interface TwilioProviderOptions {
  readonly name: string
  readonly accountSid: string
  readonly authToken: string
  /** A number, short code or name. Exactly one of `from` and `messagingServiceSid`. */
  readonly from?: string | undefined
  readonly messagingServiceSid?: string | undefined
  /** The base URL of the API without a slash at the end; Twilio's own by default. */
  readonly baseUrl?: string
}

const e164 = /^\+[1-9][0-9]{1,14}$/

/**
 * Sends SMS through Twilio's REST API
 * (https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource). It has no idempotency key: when
 * a response is lost, the message is sent twice.
 */
export function createTwilioProvider(
  { name, accountSid, authToken, from, messagingServiceSid, baseUrl = 'https://api.twilio.com' }: TwilioProviderOptions,
  http: OutboundHttp,
): Provider {
  const url = `${baseUrl}/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`
  const source: Record<string, string> =
    from === undefined ? { MessagingServiceSid: messagingServiceSid ?? '' } : { From: from }
  const headers = {
    authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  }
  return {
    name,
    method: 'sms',
    async send(message, signal) {
      if (!e164.test(message.recipient))
        throw new PermanentFailure('The recipient is not a phone number such as +33612345678')
      const body = new URLSearchParams({ To: message.recipient, ...source, Body: message.text }).toString()
      const answer = await http.post(url, { headers, body }, signal)
      if (!isTaken(answer)) throw twilioFailure(answer, message)
    },
    async close() {},
  }
}

/**
 * Codes that come with 400 and refuse the number or name to send from: it is invalid, not of this account, not for SMS, or
 * not for this destination (21212, 21603, 21606, 21659 to 21661), its messaging service has no number (21703), or too many
 * of its messages wait (21611).
 */
const aboutOrigin: readonly unknown[] = [21212, 21603, 21606, 21611, 21659, 21660, 21661, 21703]

/**
 * A refused origin is temporary, so that a wrong setting loses no messages. It may be refused for some destinations only,
 * so it does not count against the account.
 */
function twilioFailure(answer: OutboundAnswer, message: RenderedMessage): PermanentFailure | TemporaryFailure {
  const { code, words } = readProblem(answer, message)
  if (answer.status !== 400 || !aboutOrigin.includes(code)) return httpFailure(answer, 'Twilio', words)
  return new TemporaryFailure(`Twilio could not send from this number or name now (400): ${words}`, {
    concerns: 'message',
  })
}

/** Such as 21211 and `code 21211: The 'To' number is not a valid phone number.` (https://www.twilio.com/docs/api/errors). */
function readProblem({ text }: OutboundAnswer, message: RenderedMessage): { code: unknown; words: string } {
  try {
    const { code, message: said } = JSON.parse(text)
    const number = Number.isSafeInteger(code) && code < 1_000_000 ? `code ${code}` : ''
    const reply = typeof said === 'string' ? replyText(said, message) : ''
    return { code, words: [number, reply].filter((part) => part !== '').join(': ') }
  } catch {
    return { code: undefined, words: '' }
  }
}

/** The three settings of the environment; undefined if unset. */
interface TwilioEnvironment {
  readonly accountSid: string | undefined
  readonly authToken: string | undefined
  /** A number, short code or name, or the SID of a messaging service. */
  readonly from: string | undefined
}

/** The setting of the environment that provides each value. */
const twilioNames = {
  accountSid: 'TWILIO_ACCOUNT_SID',
  authToken: 'TWILIO_AUTH_TOKEN',
  from: 'TWILIO_FROM',
  messagingServiceSid: 'TWILIO_FROM',
} as const

/**
 * Parses the three settings, of which all or none must be set.
 * @returns null when none is set
 * @throws Error that starts with the name of a setting, without the token
 */
export function parseTwilioEnvironment({ accountSid, authToken, from }: TwilioEnvironment): TwilioSettings | null {
  const given = { accountSid, authToken, from }
  const missing = (['accountSid', 'authToken', 'from'] as const).filter((key) => !given[key])
  if (missing.length === 3) return null
  if (missing.length > 0) {
    const names = missing.map((key) => twilioNames[key]).join(' and ')
    throw new Error(`${names}: set all of TWILIO_ACCOUNT_SID, TWILIO_AUTH_TOKEN and TWILIO_FROM, or none`)
  }
  // The schema accepts the mask, which stands for a stored token; here none is stored.
  if (authToken === maskedSecret) throw new Error('TWILIO_AUTH_TOKEN: Give the token itself, not what is shown for it')
  const source = from?.startsWith('MG') && from.length === 34 ? { messagingServiceSid: from } : { from }
  const parsed = contract.settings.safeParse({ type: 'twilio', accountSid, authToken, ...source })
  if (parsed.success) return parsed.data
  const { path, message } = parsed.error.issues[0]!
  throw new Error(`${twilioNames[path[0] as keyof typeof twilioNames]}: ${message}`)
}
