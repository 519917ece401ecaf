import { TemporaryFailure } from '../provider.ts'

/**
 * Runs `work` with a signal that is aborted with the caller's signal or after `ms` milliseconds.
 * @param late the message of the failure after that time: `smtp.example.com did not answer within 5 s`
 * @throws TemporaryFailure if the signal was aborted and the work failed; otherwise what the work throws
 */
export async function withDeadline<T>(
  signal: AbortSignal | null,
  ms: number,
  late: string,
  work: (ends: AbortSignal) => Promise<T>,
): Promise<T> {
  const ends = new AbortController()
  const giveUp = () => ends.abort(new TemporaryFailure('The attempt was aborted before a response'))
  let lastRead: NodeJS.Immediate | undefined
  // After a suspension of this process, its timers run before it reads the answers that arrived meanwhile.
  const timer = setTimeout(() => {
    lastRead = setImmediate(() => ends.abort(new TemporaryFailure(late)))
  }, ms)
  if (signal?.aborted) giveUp()
  signal?.addEventListener('abort', giveUp)
  try {
    return await work(ends.signal)
  } catch (error) {
    throw ends.signal.aborted ? ends.signal.reason : error
  } finally {
    clearTimeout(timer)
    clearImmediate(lastRead)
    signal?.removeEventListener('abort', giveUp)
  }
}
