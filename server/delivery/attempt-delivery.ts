import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../core/clock.ts'
import type { QueuedEvent } from '../events/event.ts'
import { eventOf } from '../events/record.ts'
import { aUser } from '../events/subjects.ts'
import { codeContext, recoveryScope } from '../otp/otp.ts'
import { type Keyring, SealBroken } from '../secrets/keyring.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { composeMessage } from './compose-message.ts'
import type { MessageTransport } from './message-transport.ts'
import type { AttemptResult, ClaimedMessage } from './outbox.ts'
import { PermanentFailure, TemporaryFailure } from './provider.ts'
import type { RecentAttempts } from './recent-attempts.ts'
import { destinationProblem } from './sms-destination.ts'

export interface AttemptServices {
  readonly keyring: Keyring
  readonly transport: MessageTransport
  readonly logger: FastifyBaseLogger
  readonly clock: Clock
  /** The tenant with its current configuration; null when it was deleted. */
  findTenant(tenantId: string): Promise<TenantSnapshot | null>
}

/** Hides from a request right after a challenge whether a message was sent. */
export interface Cover {
  readonly attempts: RecentAttempts
  /** A random delay between the request and the work that it causes. */
  pause(): Promise<void>
}

const firstRetryMs = 1_000
const longestRetryMs = 60_000
/** No attempt takes longer: the providers of a message share 25 s (`provider-chain.ts`). */
export const longestAttemptMs = 30_000
/** More attempts than the 72 hours of an undo code have room for: some crashed the process or could not be recorded. */
const mostAttempts = 6_000

/** As `attempt`, with the event of a message that failed for good. */
export async function attemptDelivery(
  message: ClaimedMessage,
  now: number,
  services: AttemptServices,
  cover: Cover,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const result = await attempt(message, now, services, cover, signal)
  // The message of a decoy was never to be delivered.
  if (result.state !== 'failed' || message.decoy) return result
  try {
    return { ...result, event: eventOfFailure(message, now, await services.findTenant(message.tenantId)) }
  } catch (error) {
    // Without the tenant nothing says whether it is recorded, so the message stays until it does.
    const { tenantId, id } = message
    return {
      tenantId,
      id,
      state: 'queued',
      error: problemOf(error),
      retryAt: services.clock.now() + retryDelay(message.attempts),
    }
  }
}

function eventOfFailure(
  { id, kind, userId, deliveryMethod }: ClaimedMessage,
  now: number,
  tenant: TenantSnapshot | null,
): QueuedEvent | null {
  if (tenant === null) return null
  const subject = userId === null ? ({ kind: 'message', id } as const) : aUser(userId)
  const details = { message: id, kind, deliveryMethod }
  return eventOf({ now, background: tenant }, { type: 'message.failed', subject, details })
}

/**
 * Makes one attempt to deliver a message; never rejects.
 * @param signal aborts the attempt; the message is then tried again later
 */
async function attempt(
  message: ClaimedMessage,
  now: number,
  { keyring, transport, logger, clock, findTenant }: AttemptServices,
  cover: Cover,
  signal: AbortSignal,
): Promise<AttemptResult> {
  const { tenantId, id, deliveryMethod: method } = message
  // The user is deleted, so their address must not outlive the delivery.
  const attempt = { tenantId, id, ...(message.kind === 'account_deleted' && { forgetRecipient: true }) }
  if (now >= message.expiresAt) return { ...attempt, state: 'failed', error: 'Expired before it could be sent' }
  if (message.kind === 'otp' && message.sealedCode === null) return { ...attempt, state: 'cancelled' }
  if (message.attempts >= mostAttempts) return { ...attempt, state: 'failed', error: 'Too many attempts' }
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
        'tenant template failed; built-in text sent instead',
      )
    }
    if (message.decoy) {
      // The same work as for a real address.
      void rendered.html
      await cover.attempts.repeat(tenantId, signal)
      return { ...attempt, state: 'sent' }
    }
    const inTime = untilExpiry(message, clock.now(), signal)
    const deliver = () => transport.deliver({ message, code, rendered, tenant }, now, inTime)
    const receipt = await (isProtected ? cover.attempts.keep(tenantId, deliver) : deliver())
    return { ...attempt, state: 'sent', ...receipt }
  } catch (error) {
    const failure = afterFailure(message, error, clock.now())
    const { attempts } = message
    const { state, error: problem } = failure
    logger.warn({ messageId: id, tenantId, attempts, state, problem }, 'failed to deliver a message')
    return { ...attempt, ...failure }
  }
}

/** The signal also aborts when the message expires, as it may while a provider hangs or its connections are busy. */
function untilExpiry({ expiresAt }: ClaimedMessage, now: number, signal: AbortSignal): AbortSignal {
  const leftMs = Math.max(expiresAt - now, 0)
  return leftMs > longestAttemptMs ? signal : AbortSignal.any([signal, AbortSignal.timeout(leftMs)])
}

type FailedAttempt =
  | { readonly state: 'failed'; readonly error: string }
  | { readonly state: 'queued'; readonly error: string; readonly retryAt: number }

/** @param now the end of the attempt: a provider asks for a delay when it answers */
function afterFailure({ attempts, expiresAt }: ClaimedMessage, error: unknown, now: number): FailedAttempt {
  if (error instanceof PermanentFailure) return { state: 'failed', error: error.message }
  const problem = problemOf(error)
  const usual = now + retryDelay(attempts)
  const asked = now + (error instanceof TemporaryFailure ? (error.retryAfterSeconds ?? 0) * 1000 : 0)
  // Until it expires, another process or new settings of the sender may deliver it.
  const retryAt = asked < expiresAt ? Math.max(usual, asked) : usual
  if (retryAt >= expiresAt) return { state: 'failed', error: `No attempt succeeded before it expired: ${problem}` }
  return { state: 'queued', error: problem, retryAt }
}

function problemOf(error: unknown): string {
  if (error instanceof TemporaryFailure) return error.message
  if (error instanceof SealBroken) return 'The secrets of its senders cannot be opened with the master keys'
  // The message of any other error may contain the code, so only its type is shown.
  return error instanceof Error ? error.name : typeof error
}

/**
 * Decrypts the code of a one-time password, or the undo code of a notice. null for a message without a code, and for a
 * notice whose undo code is no longer pending: it is sent without it.
 * @throws PermanentFailure for a code that was modified; TemporaryFailure when this process lacks the master key: during
 * a rolling restart another process may have it
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
    throw new TemporaryFailure('The code is encrypted with a master key that this process does not have')
  }
}

/** Exponential backoff from a second to a minute, with ±25 % jitter. */
function retryDelay(attempts: number): number {
  const delay = Math.min(longestRetryMs, firstRetryMs * 2 ** attempts)
  return Math.round(delay * (0.75 + Math.random() * 0.5))
}
