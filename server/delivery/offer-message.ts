import { PermanentFailure, type Provider, type RenderedMessage, TemporaryFailure } from './provider.ts'
import { withDeadline } from './providers/deadline.ts'

/** Longest that one provider may take with one message. */
const attemptMs = 12_000

/**
 * Offers a message to one provider.
 * @param ms that it may take, if less than usual
 * @param signal fires when it is to be given up before that
 * @throws PermanentFailure or TemporaryFailure, nothing else: of an error that is not a provider's own, only its type is
 * known to have no code in it
 */
export async function offerMessage(
  provider: Provider,
  message: RenderedMessage,
  ms = attemptMs,
  signal: AbortSignal | null = null,
): Promise<void> {
  const limit = Math.min(ms, attemptMs)
  try {
    await withDeadline(signal, limit, `did not take it within ${Math.ceil(limit / 1000)} s`, (ends) =>
      provider.send(message, ends),
    )
  } catch (error) {
    if (error instanceof PermanentFailure || error instanceof TemporaryFailure) throw error
    const type = error instanceof Error ? error.name : typeof error
    throw new TemporaryFailure(`failed unexpectedly (${type})`)
  }
}
