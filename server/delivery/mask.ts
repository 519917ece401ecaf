import type { DeliveryMethod } from '../../contract/accounts/otp.ts'

// A fixed number of stars, so that they do not reveal the length of the hidden part.
const HIDDEN = '***'
const HIDDEN_DIGITS = '******'

/**
 * Masks a normalised e-mail address so that only its owner recognises it: `jane@example.com` → `j***@e***.com`.
 */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@')
  if (at < 1) return HIDDEN
  const domain = email.slice(at + 1)
  return `${email.charAt(0)}${HIDDEN}@${domain.charAt(0)}${HIDDEN}${domain.slice(domain.lastIndexOf('.'))}`
}

/**
 * Masks an E.164 number, except for the start of its country code and, if five digits remain hidden, the last two digits:
 * `+33612345678` → `+33******78`.
 */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 3)}${HIDDEN_DIGITS}${phone.length >= 10 ? phone.slice(-2) : ''}`
}

/** The masked recipient, as in the status of a one-time password. */
export function maskRecipient(method: DeliveryMethod, recipient: string): string {
  return method === 'email' ? maskEmail(recipient) : maskPhone(recipient)
}
