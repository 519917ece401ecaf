import type { ManagedUser } from '../../packages/client/src/admin.ts'
import { State } from '../parts/state.tsx'

/** What lists call the states by which the server finds users. */
export const userStates = {
  suspended: 'Suspended',
  restricted: 'Restricted',
  guest: 'Guests',
  unverified: 'Unverified',
} as const

export const isUserState = (text: string | undefined): text is keyof typeof userStates =>
  text !== undefined && Object.hasOwn(userStates, text)

/** The state of a user in a word: the most important one first. */
export function UserState({ user }: { readonly user: ManagedUser }) {
  if (user.suspension !== null) return <State tone="bad">Suspended</State>
  if (user.restrictedCapabilities.length > 0) return <State tone="warn">Restricted</State>
  if (user.guest) return <State tone="quiet">Guest</State>
  if (!user.emailVerified && !user.phoneVerified) return <State tone="info">Unverified</State>
  return <State tone="good">Verified</State>
}

/** What a user is called: their address, otherwise their number. */
export const nameOf = ({ email, phone, guest }: Pick<ManagedUser, 'email' | 'phone' | 'guest'>): string =>
  email ?? phone ?? (guest ? 'Guest' : 'User without an address')
