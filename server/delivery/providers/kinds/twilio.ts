import { PermanentFailure, type Provider, type RenderedMessage } from '../../provider.ts'
import { httpFailure, isTaken } from '../http-failure.ts'
import type { OutboundAnswer, OutboundHttp } from '../outbound-http.ts'
import { replyText } from '../reply-text.ts'

/** An account at Twilio, and what its messages come from: a number, short code or name, or a messaging service. */
export interface TwilioProviderOptions {
  readonly name: string
  readonly accountSid: string
  readonly authToken: string
  readonly from?: string | undefined
  readonly messagingServiceSid?: string | undefined
  /** Where its API is, without a slash at the end; Twilio's own unless told. */
  readonly baseUrl?: string
}

const e164 = /^\+[1-9][0-9]{1,14}$/

/**
 * SMS by Twilio's REST API (https://www.twilio.com/docs/messaging/api/message-resource#create-a-message-resource).
 * Twilio knows no idempotency key here: a message whose answer was lost is sent twice.
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
      if (!isTaken(answer)) throw httpFailure(answer, 'Twilio', twilioWords(answer, message))
    },
    async close() {},
  }
}

/** `code 21211: The 'To' number is not a valid phone number.` (https://www.twilio.com/docs/api/errors), or nothing. */
function twilioWords({ text }: OutboundAnswer, message: RenderedMessage): string {
  try {
    const { code, message: words } = JSON.parse(text)
    const number = Number.isSafeInteger(code) && code < 1_000_000 ? `code ${code}` : ''
    const reply = typeof words === 'string' ? replyText(words, message) : ''
    return [number, reply].filter((part) => part !== '').join(': ')
  } catch {
    return ''
  }
}
