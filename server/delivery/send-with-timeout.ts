import { PermanentFailure, type Provider, type RenderedMessage, TemporaryFailure } from './provider.ts'
import { withDeadline } from './providers/deadline.ts'

/** The most time that one provider gets for one message, in milliseconds. */
export const attemptMs = 12_000

/**
 * Sends a message through one provider.
 * @param ms the time limit, if shorter than usual
 * @param signal aborts the attempt earlier
 * @throws only PermanentFailure or TemporaryFailure. Other errors are reported by their type alone: their message may
 * contain the code
 */
export async function sendWithTimeout(
  provider: Provider,
  message: RenderedMessage,
  ms = attemptMs,
  signal: AbortSignal | null = null,
): Promise<void> {
  const limit = Math.min(ms, attemptMs)
  try {
    await withDeadline(signal, limit, `did not accept the message within ${Math.ceil(limit / 1000)} s`, (ends) =>
      provider.send(message, ends),
    )
  } catch (error) {
    if (error instanceof PermanentFailure || error instanceof TemporaryFailure) throw error
    const type = error instanceof Error ? error.name : typeof error
    throw new TemporaryFailure(`failed unexpectedly (${type})`)
  }
}
