import { TemporaryFailure } from '../provider.ts'

/**
 * Runs `work` under a signal that fires when the caller's does or when `ms` milliseconds are over.
 * @param late what the failure says then: `smtp.example.com did not answer within 5 s`
 * @throws TemporaryFailure when it fired and the work failed; what the work throws otherwise
 */
export async function withDeadline<T>(
  signal: AbortSignal | null,
  ms: number,
  late: string,
  work: (ends: AbortSignal) => Promise<T>,
): Promise<T> {
  const ends = new AbortController()
  const giveUp = () => ends.abort(new TemporaryFailure('The attempt was given up before it was answered'))
  const timer = setTimeout(() => ends.abort(new TemporaryFailure(late)), ms)
  if (signal?.aborted) giveUp()
  signal?.addEventListener('abort', giveUp)
  try {
    return await work(ends.signal)
  } catch (error) {
    throw ends.signal.aborted ? ends.signal.reason : error
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', giveUp)
  }
}
