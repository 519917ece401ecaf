import { PermanentFailure, TemporaryFailure } from '../provider.ts'
import type { OutboundAnswer } from './outbound-http.ts'

/** 4xx that say "later": request time-out, too early, too many requests. */
const later = [408, 425, 429]

/**
 * What an HTTP answer other than 2xx means for the message. Wrong credentials are the operator's mistake, to be mended
 * while the message waits; any other 4xx says no to this message.
 * @param who the beginning of the sentence: `Twilio`
 * @param words the provider's own, clean already; may be empty
 */
export function httpFailure(
  { status, retryAfterSeconds }: OutboundAnswer,
  who: string,
  words: string,
): PermanentFailure | TemporaryFailure {
  if (status === 401 || status === 403)
    return new TemporaryFailure(`${who} did not accept our credentials (${status}): check the settings of this sender`)
  const detail = words === '' ? '' : `: ${words}`
  if (status >= 400 && status < 500 && !later.includes(status))
    return new PermanentFailure(`${who} refused the message (${status})${detail}`)
  if (status < 400) return new TemporaryFailure(`${who} answered ${status}: redirects are not followed`)
  return new TemporaryFailure(`${who} could not take the message now (${status})${detail}`, { retryAfterSeconds })
}

/** Whether the provider took it. */
export const isTaken = ({ status }: OutboundAnswer): boolean => status >= 200 && status < 300
