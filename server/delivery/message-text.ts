import type { ClaimedMessage } from './message.ts'

/** What a message says in plain text. `code` is null for notices. */
export function messageText(message: ClaimedMessage, code: string | null): string {
  if (message.kind === 'password_changed') {
    return 'Your password was changed and all sessions were signed out. If this was not you, reset your password at once.'
  }
  const minutes = Math.max(1, Math.round((message.expiresAt - message.createdAt) / 60_000))
  return `${code} is your code to ${purpose(message)}. It is valid for ${minutes} min. Never share it.`
}

function purpose({ scope }: ClaimedMessage): string {
  switch (scope) {
    case 'reset_password':
      return 'reset your password'
    case 'otp_signin':
      return 'sign in'
    case 'phone_verification':
      return 'confirm your phone number'
    default:
      return 'confirm your e-mail address'
  }
}
