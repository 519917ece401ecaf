import type { z } from 'zod'
import type { signIn as operation } from '../../../contract/accounts/sign-in.ts'
import type { ErrorCode } from '../../../contract/errors.ts'
import type { TenantCall, UserCall } from '../../core/call.ts'
import { ServiceError } from '../../core/service-error.ts'
import type { Fact } from '../../events/event.ts'
import type { RefusedAttempts } from '../../events/refused-attempts.ts'
import { aUser } from '../../events/subjects.ts'
import { addressChange } from '../account-events.ts'

/** A refusal that knows its user. */
interface RefusalOfUser extends ServiceError {
  readonly userId?: string
}

/** Names the user of a refused sign-in, for its event only. */
export const ofUser = (userId: string | undefined, refusal: ServiceError): ServiceError =>
  userId === undefined ? refusal : Object.assign(refusal, { userId })

/** Refusals of a proof. Others are about the request, the configuration or a limit. */
const refusals: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'INVALID_CREDENTIALS',
  'INVALID_SOCIAL_TOKEN',
  'OTP_ALREADY_CONSUMED',
  'OTP_NOT_CONSUMABLE',
  'OTP_NOT_FOUND',
  'RESTRICTED_CAPABILITY',
])

/**
 * Runs an attempt to prove an identity, and records its refusal. A known and an unknown address take the same work
 * (threat C26).
 */
async function recordingRefusal<T>(
  attempt: () => Promise<T>,
  fact: (refusal: RefusalOfUser) => Fact,
  operation: string,
  call: TenantCall,
  refusedAttempts: RefusedAttempts,
): Promise<T> {
  try {
    return await attempt()
  } catch (error) {
    if (error instanceof ServiceError && refusals.has(error.code)) {
      await refusedAttempts.record(call, operation, { ...fact(error), refused: error.code })
    }
    throw error
  }
}

/** Records the refusal of a sign-in: of the user, if the attempt names one, else of the address. */
export const recordingRefusedSignIn = <T>(
  body: z.output<typeof operation.body>,
  call: TenantCall,
  refusedAttempts: RefusedAttempts,
  attempt: () => Promise<T>,
): Promise<T> =>
  recordingRefusal(
    attempt,
    ({ userId }) => ({
      type: 'sign_in.refused',
      subject: userId === undefined ? { kind: 'address', id: null } : aUser(userId),
      details: { method: body.method },
      ...(body.method === 'password' && { changes: addressChange('email', null, body.email) }),
    }),
    'signIn',
    call,
    refusedAttempts,
  )

/** What events of a step-up have in common. */
export const stepUpOf = ({ user, session }: UserCall, method: string): Pick<Fact, 'subject' | 'details'> => ({
  subject: aUser(user.id),
  details: { session: session.id, method },
})

/** Records the refusal of a proof by a user who is signed in. */
export const recordingRefusedStepUp = <T>(
  method: string,
  operation: string,
  call: UserCall,
  refusedAttempts: RefusedAttempts,
  attempt: () => Promise<T>,
): Promise<T> =>
  recordingRefusal(
    attempt,
    () => ({ type: 'step_up.refused', ...stepUpOf(call, method) }),
    operation,
    call,
    refusedAttempts,
  )
