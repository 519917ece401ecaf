import { call, readArguments } from '../call.ts'
import type { TenantryClientOptions } from '../client.ts'
import { TenantryError } from '../errors.ts'
import { joined } from '../joined.ts'
import type { Methods } from '../methods.ts'
import type { Route } from '../route.ts'
import { abortable } from './abortable.ts'
import { acceptAnswer } from './accept-answer.ts'
import { type CurrentSession, codeOf } from './current-session.ts'
import type { StepUpProof, StepUpRequest } from './session.ts'
import type { StoredSession } from './stored-session.ts'

/** Asks the user for a proof, and exchanges it for a fresh access token. */
export interface StepUp {
  readonly ask: ((request: StepUpRequest) => Promise<StepUpProof | null>) | undefined
  exchange(proof: StepUpProof): Promise<{ readonly accessToken: string }>
}

/** Calls operations with the arguments of their methods, as the user of the session. */
export function createUserCalls(
  options: TenantryClientOptions,
  session: CurrentSession,
  { ask, exchange }: StepUp,
): (route: Route, args: readonly unknown[], name: string) => Promise<unknown> {
  const isSignedIn = (userId: string): boolean => session.value?.user.id === userId

  /** Asks for a proof until the service accepts one; null if the user gave up. */
  const stepUp = joined(
    async (used: StoredSession, operation: string, error?: TenantryError): Promise<StoredSession | null> => {
      const { user } = used
      for (;;) {
        const proof = await ask!({ user, operation: operation as keyof Methods, error })
        if (proof === null || !isSignedIn(user.id)) return null
        try {
          const { accessToken } = await exchange(proof)
          return { ...used, accessToken }
        } catch (refusal) {
          const isWrong = refusal instanceof TenantryError && refusal.status < 429 && refusal.status !== 403
          if (!isWrong || !isSignedIn(user.id)) throw refusal
          error = refusal
        }
      }
    },
  )

  /** The session to repeat a failed call with; each remedy is tried once. */
  async function recover(
    error: unknown,
    used: StoredSession,
    name: string,
    tried: Set<unknown>,
  ): Promise<StoredSession | null> {
    const code = codeOf(error)
    if (code === 'TOKEN_USER_NOT_FOUND' && isSignedIn(used.user.id)) await session.end('expired')
    const needsRefresh = code === 'INVALID_USER_TOKEN'
    // FRESH_SIGN_IN_REQUIRED and ADDRESS_PROOF_REQUIRED ask for a proof.
    if (!needsRefresh && !code?.endsWith('_REQUIRED')) return null
    // Another call or tab may have refreshed or stepped up meanwhile.
    const newest = await session.sync()
    const remedy = newest?.accessToken === used.accessToken ? code : 'newest'
    if (tried.has(remedy)) return null
    tried.add(remedy)
    if (remedy === 'newest') return newest
    if (needsRefresh) return session.renewed(used.accessToken)
    if (ask === undefined) return null
    return stepUp(used, name, code === 'ADDRESS_PROOF_REQUIRED' ? (error as TenantryError) : undefined)
  }

  return async (route, args, name) => {
    const { signal } = readArguments(route, args).options
    await session.isRead
    const begunBy = session.value?.user.id
    const owner = route.auth === 'tenant' ? null : session.value
    let used = owner && (await abortable(session.usable(), signal))
    // Another user has signed in meanwhile. The call is not theirs, so it keeps the token that it began with.
    if (used?.user.id !== owner?.user.id) used &&= owner
    const tried = new Set()
    for (;;) {
      try {
        const answer = await call({ ...options, accessToken: used?.accessToken }, route, args)
        await acceptAnswer(session, name, answer, begunBy)
        return answer
      } catch (error) {
        const next = used && (await abortable(recover(error, used, name, tried), signal))
        if (next === null || next.user.id !== owner?.user.id) throw error
        used = next
      }
    }
  }
}
