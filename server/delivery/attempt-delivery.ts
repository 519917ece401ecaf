import type { FastifyBaseLogger } from 'fastify'
import { codeContext, recoveryScope } from '../otp/otp.ts'
import { type Keyring, SealBroken } from '../secrets/keyring.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { composeMessage } from './compose-message.ts'
import type { MessageTransport } from './message-transport.ts'
import type { AttemptResult, ClaimedMessage } from './outbox.ts'
import { PermanentFailure, TemporaryFailure } from './provider.ts'
import type { RecentAttempts } from './recent-attempts.ts'
import { destinationProblem } from './sms-destination.ts'

/** What an attempt needs. */
export interface AttemptServices {
  readonly keyring: Keyring
  readonly transport: MessageTransport
  readonly logger: FastifyBaseLogger
  /** The tenant as it is configured now; null when it is gone. */
  findTenant(tenantId: string): Promise<TenantSnapshot | null>
}

/** What hides from requests that follow a challenge at once whether a message went out. */
export interface Cover {
  readonly attempts: RecentAttempts
  /** Moves the work of an attempt away from the request that caused it, by a random time. */
  pause(): Promise<void>
}

const firstRetryMs = 1_000
const longestRetryMs = 60_000
/** More than a day of attempts has: a message claimed this often kills its process each time, or cannot be recorded. */
const mostAttempts = 2_000

/**
 * One attempt at one message; never rejects.
 * @param signal fires when it is to be given up, for another attempt later
 */
export async function attemptDelivery(
  message: ClaimedMessage,
  now: number,
  { keyring, transport, logger, findTenant }: AttemptServices,
  cover: Cover,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { tenantId, id, deliveryMethod: method } = message
  // The user is deleted, so their address must not outlive the delivery.
  const attempt = { tenantId, id, ...(message.kind === 'account_deleted' && { forgetRecipient: true }) }
  if (now >= message.expiresAt) return { ...attempt, state: 'failed', error: 'It expired before it could be sent' }
  if (message.kind === 'otp' && message.sealedCode === null) return { ...attempt, state: 'cancelled' }
  if (message.attempts >= mostAttempts) return { ...attempt, state: 'failed', error: 'It was tried too often' }
  try {
    const tenant = await findTenant(tenantId)
    if (tenant === null) return { ...attempt, state: 'cancelled' }
    const forbidden = destinationProblem(method, message.recipient, tenant)
    if (forbidden !== null) throw new PermanentFailure(forbidden)
    const isProtected = tenant.configuration.security.enumerationProtection
    if (isProtected && message.scope === 'reset_password') await cover.pause()
    const code = openCode(message, keyring)
    const { rendered, fallback } = composeMessage(message, code, tenant)
    if (fallback) {
      const { scope, kind } = message
      logger.warn(
        { tenantId, kind, scope, locale: rendered.locale },
        'a template of the tenant failed: the built-in text was sent',
      )
    }
    if (message.decoy) {
      // Rendered and thrown away: the same work as for a real address.
      void rendered.html
      await cover.attempts.repeat(tenantId, signal)
      return { ...attempt, state: 'sent' }
    }
    const deliver = () => transport.deliver({ message, code, rendered, tenant }, now, signal)
    const receipt = await (isProtected ? cover.attempts.keep(tenantId, deliver) : deliver())
    return { ...attempt, state: 'sent', ...receipt }
  } catch (error) {
    const failure = afterFailure(message, error, now)
    const { attempts } = message
    const { state, error: problem } = failure
    logger.warn({ messageId: id, tenantId, attempts, state, problem }, 'a message could not be delivered')
    return { ...attempt, ...failure }
  }
}

type FailedAttempt =
  | { readonly state: 'failed'; readonly error: string }
  | { readonly state: 'queued'; readonly error: string; readonly retryAt: number }

function afterFailure({ attempts, expiresAt }: ClaimedMessage, error: unknown, now: number): FailedAttempt {
  if (error instanceof PermanentFailure) return { state: 'failed', error: error.message }
  const problem = problemOf(error)
  const asked = error instanceof TemporaryFailure ? (error.retryAfterSeconds ?? 0) * 1000 : 0
  const retryAt = now + Math.max(retryDelay(attempts), asked)
  if (retryAt >= expiresAt) return { state: 'failed', error: `No attempt succeeded before it expired: ${problem}` }
  return { state: 'queued', error: problem, retryAt }
}

function problemOf(error: unknown): string {
  if (error instanceof TemporaryFailure) return error.message
  if (error instanceof SealBroken) return 'The secrets of its senders cannot be opened with the master keys'
  // Of an error that is not a sender's own, only its type is known to have no code in it.
  return error instanceof Error ? error.name : typeof error
}

/**
 * The code of a one-time password, or the undo code of a notice; null for a message without one. An undo code that was
 * used or cancelled is null as well: the notice is still sent, without it.
 * @throws PermanentFailure for a code that was altered; TemporaryFailure for one of a master key that this process has
 * not: another process may have it while they are restarted one by one, or the operator brings it back
 */
function openCode(message: ClaimedMessage, keyring: Keyring): string | null {
  const { tenantId, otpId, recipient, sealedCode } = message
  const scope = message.kind === 'otp' ? message.scope : recoveryScope
  if (sealedCode === null || otpId === null || scope === null) return null
  try {
    return keyring.open(sealedCode, codeContext(tenantId, otpId, scope, recipient))
  } catch (error) {
    if (!(error instanceof SealBroken)) throw error
    if (keyring.keyIds.includes(sealedCode.slice(0, Math.max(sealedCode.indexOf('.'), 0))))
      throw new PermanentFailure('The code could not be opened with the master keys')
    throw new TemporaryFailure('The code is sealed under a master key that this process has not')
  }
}

/** Doubles from a second to a minute, spread by half so that a recovered provider is not met by all at once. */
function retryDelay(attempts: number): number {
  const delay = Math.min(longestRetryMs, firstRetryMs * 2 ** attempts)
  return Math.round(delay * (0.75 + Math.random() * 0.5))
}
