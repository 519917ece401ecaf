import { hash } from 'node:crypto'
import type { Actor, Subject } from './event.ts'

/**
 * What events call a one-time password: a hash of its id. The id is a bearer token: with it, a verified one resets a
 * password or signs in, and a reader of events must be able to do neither.
 */
export const otpReference = (id: string): string => hash('sha256', id, 'base64url').slice(0, 22)

/** The user that a one-time password belongs to, or the one-time password itself when it names none. */
export const ownerOfOtp = (otp: { readonly id: string; readonly userId: string | null }): Subject =>
  otp.userId === null ? { kind: 'otp', id: otpReference(otp.id) } : { kind: 'user', id: otp.userId }

export const aUser = (id: string): Subject => ({ kind: 'user', id })

export const aTenant = (id: string): Subject => ({ kind: 'tenant', id })

/** The user as the actor of an act that proves who they are: a sign-in, or a code that was sent to them. */
export const asUser = (id: string, session?: string): Actor => ({
  kind: 'user',
  id,
  ...(session !== undefined && { session }),
})
