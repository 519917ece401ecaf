import type { FastifyBaseLogger } from 'fastify'
import { codeContext } from '../otp/otp.ts'
import type { Keyring } from '../secrets/keyring.ts'
import type { Courier } from './courier.ts'
import type { ClaimedMessage, InboxEntry, Settlement } from './message.ts'
import { messageText } from './message-text.ts'

/** How one attempt ended. */
export interface AttemptEnd {
  readonly settlement: Settlement
  readonly entry: InboxEntry | null
}

/** What an attempt needs. */
export interface AttemptServices {
  readonly keyring: Keyring
  readonly courier: Courier
  readonly logger: FastifyBaseLogger
}

const firstRetryMs = 1_000
const longestRetryMs = 60_000
/** A message claimed this often has killed its process each time, or cannot be recorded: it is given up. */
const mostAttempts = 30

/** One attempt at one message; never rejects. */
export async function attemptDelivery(
  message: ClaimedMessage,
  now: number,
  { keyring, courier, logger }: AttemptServices,
): Promise<AttemptEnd> {
  const { id } = message
  const end = (settlement: Settlement, entry: InboxEntry | null = null): AttemptEnd => ({ settlement, entry })
  if (now >= message.expiresAt) return end({ id, state: 'failed', error: 'It expired before it could be sent' })
  if (message.kind === 'otp' && message.sealedCode === null) return end({ id, state: 'cancelled' })
  if (message.attempts >= mostAttempts) return end({ id, state: 'failed', error: 'It was tried too often' })
  if (message.decoy) return end({ id, state: 'sent' })
  try {
    const code = openCode(message, keyring)
    const entry = await courier.deliver({ message, code, text: messageText(message, code) }, now)
    return end({ id, state: 'sent' }, entry)
  } catch (error) {
    const type = error instanceof Error ? error.name : typeof error
    logger.warn(
      { messageId: id, tenantId: message.tenantId, attempts: message.attempts, type },
      'a message could not be delivered',
    )
    return end(afterFailure(message, type, now))
  }
}

function afterFailure({ id, attempts, expiresAt }: ClaimedMessage, type: string, now: number): Settlement {
  if (type === 'SealBroken') {
    return { id, state: 'failed', error: 'The code could not be opened with the master keys' }
  }
  const retryAt = now + retryDelay(attempts)
  if (retryAt >= expiresAt) return { id, state: 'failed', error: `No attempt succeeded before it expired (${type})` }
  return { id, state: 'queued', error: type, retryAt }
}

function openCode({ tenantId, otpId, scope, recipient, sealedCode }: ClaimedMessage, keyring: Keyring): string | null {
  if (sealedCode === null || otpId === null || scope === null) return null
  return keyring.open(sealedCode, codeContext(tenantId, otpId, scope, recipient))
}

/** Doubles from a second to a minute, spread by half so that a recovered provider is not met by all at once. */
function retryDelay(attempts: number): number {
  const delay = Math.min(longestRetryMs, firstRetryMs * 2 ** attempts)
  return Math.round(delay * (0.75 + Math.random() * 0.5))
}
