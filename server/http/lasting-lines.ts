import { ServiceError } from '../core/service-error.ts'
import type { MayRead } from './drained.ts'

/** As often as a stream. */
const everyMs = 1_000

/**
 * The lines of an export, as long as its operator may read them: a client that reads slowly keeps an export open for hours,
 * with users who sign up meanwhile.
 * @throws ServiceError INVALID_ADMIN_KEY
 */
export async function* lastingLines(lines: AsyncIterable<unknown>, mayRead: MayRead): AsyncGenerator<unknown> {
  let checkAt = performance.now() + everyMs
  for await (const line of lines) {
    if (performance.now() >= checkAt) {
      if (!(await mayRead())) throw new ServiceError('INVALID_ADMIN_KEY')
      checkAt = performance.now() + everyMs
    }
    yield line
  }
}
