import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Operation } from '../../contract/operation.ts'
import type { PublicCall } from '../core/call.ts'
import type { Clock } from '../core/clock.ts'
import type { BodyLine } from '../core/handler.ts'
import type { OpenLines } from './lines-body.ts'
import type { RequestChecks } from './request-checks.ts'

/** A body that arrives this long after the request checks is late. */
const lateMs = 1_000

/** Absolute, because the clock may have been set back. */
const isLate = (checkedAt: number, now: number): boolean => Math.abs(now - checkedAt) >= lateMs

interface CheckedCall {
  readonly call: PublicCall
  /** When the checks had passed, epoch milliseconds. */
  readonly checkedAt: number
}

/**
 * The calls of one operation. The request checks run when the headers have arrived, but the client may send the body until
 * the request timeout, and lines for hours. Meanwhile sessions end, so the checks run again for a late body, and for every
 * body of an operator (CHECK-4).
 */
interface CheckedCalls {
  /** Runs the request checks; the body has not been read yet. */
  check(request: FastifyRequest, reply: FastifyReply): Promise<void>
  /** The call of a complete request, with the time at which it is complete. */
  complete(request: FastifyRequest, reply: FastifyReply): Promise<PublicCall>
  /** Lines that stop when the checks refuse their request. */
  readonly openLines: OpenLines
}

export function createCheckedCalls(
  { auth }: Pick<Operation, 'auth'>,
  run: RequestChecks,
  clock: Clock,
  openLines: OpenLines,
): CheckedCalls {
  async function* whileAllowed(
    lines: AsyncIterable<BodyLine>,
    request: FastifyRequest,
    reply: FastifyReply,
  ): AsyncGenerator<BodyLine> {
    let checkedAt = clock.now()
    async function checkAgain(): Promise<void> {
      if (!isLate(checkedAt, clock.now())) return
      await run(request, reply, 'again')
      checkedAt = clock.now()
    }
    for await (const line of lines) {
      await checkAgain()
      yield line
    }
    // The handler collects lines, and acts on the last ones at the end of the body.
    await checkAgain()
  }

  return {
    async check(request, reply) {
      const call = await run(request, reply, 'first')
      request.setDecorator('checked', { call, checkedAt: clock.now() } satisfies CheckedCall)
    },
    async complete(request, reply) {
      const { call, checkedAt } = request.getDecorator<CheckedCall>('checked')
      // Without a body the request was complete when it was checked.
      if (request.body === undefined) return call
      const now = clock.now()
      // However soon it is complete: an operator who has just lost a right could give it back to themselves or to another.
      const isDoubtful = auth === 'admin' || isLate(checkedAt, now)
      return isDoubtful ? run(request, reply, 'again') : { ...call, now }
    },
    openLines: (request, reply, maxBytes) => whileAllowed(openLines(request, reply, maxBytes), request, reply),
  }
}
