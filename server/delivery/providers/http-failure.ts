import { PermanentFailure, TemporaryFailure } from '../provider.ts'
import type { OutboundAnswer } from './outbound-http.ts'

/** Temporary 4xx: Request Timeout, Too Early, Too Many Requests. */
const later = [408, 425, 429]

/**
 * Classifies a response other than 2xx. Invalid credentials are temporary, because the operator can correct them; any
 * other 4xx rejects this message.
 * @param who the subject of the sentence: `Twilio`
 * @param words the provider's reply without quotes of the message; may be empty
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
  if (status < 300) return new TemporaryFailure(`${who} answered ${status}, which accepts nothing`)
  if (status < 400) return new TemporaryFailure(`${who} answered ${status}: redirects are not followed`)
  return new TemporaryFailure(`${who} could not take the message now (${status})${detail}`, { retryAfterSeconds })
}

/** Whether the provider accepted the message. */
export const isTaken = ({ status }: OutboundAnswer): boolean => status >= 200 && status < 300
