import type { ManagedMessage, TemplateKind } from '../../../packages/client/src/admin.ts'

/** What messages are about, in the order of a user's life. */
export const messageKinds: Readonly<Record<TemplateKind, string>> = {
  otp_signin: 'Sign-in code',
  reset_password: 'Password reset',
  email_verification: 'E-mail verification',
  phone_verification: 'Phone verification',
  password_added: 'Password added',
  password_changed: 'Password changed',
  email_changed: 'E-mail address changed',
  phone_changed: 'Phone number changed',
  identity_added: 'Sign-in method added',
  identity_removed: 'Sign-in method removed',
  account_deleted: 'Account deleted',
}

/** What a message is about. */
export const kindOf = ({ kind, scope }: Pick<ManagedMessage, 'kind' | 'scope'>): string =>
  kind !== 'otp' ? messageKinds[kind] : scope === null ? 'Code' : messageKinds[scope]

export const channels = { email: 'E-mail', sms: 'SMS' } as const

/** Within a sentence. */
export const channelWords = { email: 'e-mail', sms: 'SMS' } as const
