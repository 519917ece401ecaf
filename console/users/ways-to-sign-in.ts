import type { AuthMethod } from '../../packages/client/src/admin.ts'
import { isProvider } from '../sign-in-settings/sign-in-methods.ts'

const list = new Intl.ListFormat('en', { type: 'disjunction' })

/** How a user without a password signs in. @param methods those of the tenant; undefined if they are not known */
export function withoutPassword(methods: readonly AuthMethod[] | undefined): string {
  if (methods === undefined) return 'Optional. Without one, the user signs in with a code or a provider.'
  const ways = [...(methods.includes('otp') ? ['a code'] : []), ...(methods.some(isProvider) ? ['a provider'] : [])]
  const others = `the user signs in with ${list.format(ways)}`
  if (methods.includes('password'))
    return ways.length > 0
      ? `Optional. Without one, ${others}.`
      : 'This tenant has passwords only: without one the user cannot sign in.'
  return ways.length > 0
    ? `Passwords are off for this tenant: ${others}.`
    : 'Passwords, codes and providers are off for this tenant: the user cannot sign in.'
}

/** Whether a method is switched off for the tenant; not while its methods are not known. */
export const isOff = (method: AuthMethod, methods: readonly AuthMethod[] | undefined): boolean =>
  methods !== undefined && !methods.includes(method)
