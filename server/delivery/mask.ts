import type { DeliveryMethod } from '../../contract/otp.ts'

// Always as many stars, so that they do not tell how long what they hide is.
const HIDDEN = '***'
const HIDDEN_DIGITS = '******'

/**
 * A normalised e-mail address as its owner would recognise it and nobody else could write to it: `jane@example.com` →
 * `j***@e***.com`.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  if (at < 1) return HIDDEN
  const domain = email.slice(at + 1)
  return `${email.charAt(0)}${HIDDEN}@${domain.charAt(0)}${HIDDEN}${domain.slice(domain.lastIndexOf('.'))}`
}

/**
 * An E.164 number with the beginning of its country code and, where that still leaves five digits hidden, its last two:
 * `+33612345678` → `+33******78`.
 */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 3)}${HIDDEN_DIGITS}${phone.length >= 10 ? phone.slice(-2) : ''}`
}

/** The recipient of a one-time password as its status shows it (design 4). */
export function maskRecipient(method: DeliveryMethod, recipient: string): string {
  return method === 'email' ? maskEmail(recipient) : maskPhone(recipient)
}
