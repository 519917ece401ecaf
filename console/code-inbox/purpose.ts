import type { TestingChannelMessage } from './testing-channel-message.ts'

const purposes: Readonly<Record<string, string>> = {
  email_verification: 'Verifies an e-mail address',
  phone_verification: 'Verifies a phone number',
  reset_password: 'Password reset',
  otp_signin: 'Sign-in',
}

/** What a message is for, in words. */
export const purposeOf = ({ scope, code }: Pick<TestingChannelMessage, 'scope' | 'code'>): string =>
  scope === null ? (code === null ? 'Notice' : 'Notice with an undo code') : (purposes[scope] ?? scope)
