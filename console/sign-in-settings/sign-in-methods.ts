import type { AuthMethod, DeliveryMethod } from '../../packages/client/src/admin.ts'
import type { Carriers } from '../parts/messages/carriers.ts'
import { providerNames } from '../parts/provider-names.ts'

/** A way to sign in, with what it needs to work. */
interface SignInMethod {
  readonly label: string
  readonly needs: string
  /** One of these senders carries its messages. */
  readonly senders?: readonly DeliveryMethod[]
}

export type ProviderName = keyof typeof providerNames
export const isProvider = (method: AuthMethod): method is ProviderName => Object.hasOwn(providerNames, method)

const byProvider = (name: ProviderName, where: string): SignInMethod => ({
  label: providerNames[name],
  needs: `Needs the client ids of your apps from ${where}: tokens for other apps are refused.`,
})

export const signInMethods: Readonly<Record<AuthMethod, SignInMethod>> = {
  password: {
    label: 'Password',
    needs: 'Needs a sender of e-mail, because a forgotten password is reset with a code.',
    senders: ['email'],
  },
  otp: {
    label: 'One-time code',
    needs: 'Needs a sender of e-mail or SMS, which carries the code.',
    senders: ['email', 'sms'],
  },
  google: byProvider('google', 'the Google Cloud console'),
  apple: byProvider('apple', 'the Apple Developer account'),
  facebook: byProvider('facebook', 'Meta for Developers'),
  guest: { label: 'Guest', needs: 'Needs nothing. A guest has no address until the person adds a way to sign in.' },
}

/** What is missing for a method that is on; null if nothing is, or it cannot be known. */
export function missingFor(
  method: AuthMethod,
  carriers: Carriers | undefined,
  clientIds: readonly string[] | undefined,
): string | null {
  if (isProvider(method)) return (clientIds ?? []).length === 0 ? 'Client ids are missing' : null
  const { senders: needed } = signInMethods[method]
  if (needed === undefined || carriers === undefined) return null
  return needed.some((channel) => carriers[channel] !== 'none') ? null : 'No sender is set up for it'
}
