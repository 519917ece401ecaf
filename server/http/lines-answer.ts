import type { OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Clock } from '../core/clock.ts'
import { ServiceError } from '../core/service-error.ts'
import { refusalBody } from './answer.ts'
import { drained, type MayRead } from './drained.ts'
import { linesType, lingerMs } from './lines-body.ts'
import { refusalOf } from './refusal-of.ts'

/** Sends each line as soon as there is one; rejects with an error that comes before the first line. */
export type AnswerLines = (
  reply: FastifyReply,
  status: number,
  lines: AsyncIterable<unknown>,
  mayRead: MayRead,
) => Promise<void>

/**
 * Many clients send their whole body before they read the answer. Until then this many bytes of the answer are buffered;
 * above that, reading the body is paused.
 */
const maxUnreadBytes = 16_777_216

/** NDJSON answers with backpressure. A client that reads nothing for `unreadMs` is disconnected. */
export function createLinesAnswers(
  app: FastifyInstance,
  { clock, unreadMs }: { clock: Clock; unreadMs: number },
): AnswerLines {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  // Of an answer that shutdown cuts off, its handler still records how it ended.
  const running = new Set<Promise<void>>()
  app.addHook('onClose', async () => {
    await Promise.allSettled(running)
  })

  /**
   * The last line is the error, and the final chunk is missing, so that no client takes the answer for complete. A slow
   * client first reads what is buffered.
   */
  function breakOff({ raw, request }: FastifyReply, error: unknown): void {
    const refusal = refusalOf(error, request)
    request.setDecorator('refusedAs', refusal.code)
    request.raw.resume()
    const linger = () => setTimeout(() => raw.destroy(), lingerMs).unref()
    raw.write(`${refusalBody(refusal, request.id, clock.now())}\n`, () => {
      raw.socket?.end()
      linger()
    })
    if (request.raw.complete) raw.setTimeout(unreadMs)
    else linger()
  }

  const answer: AnswerLines = async (reply, status, lines, mayRead) => {
    const { raw, request } = reply
    const gone = new AbortController()
    raw.once('close', () => gone.abort())
    if (raw.destroyed) gone.abort()

    function begin(): void {
      reply.hijack()
      raw.writeHead(status, {
        ...(reply.getHeaders() as OutgoingHttpHeaders),
        'content-type': linesType,
        'cache-control': 'no-store',
        'x-accel-buffering': 'no', // nginx would buffer lines.
      })
    }

    try {
      for await (const line of request.raw.method === 'HEAD' ? [] : lines) {
        if (gone.signal.aborted) break
        if (!raw.headersSent) begin()
        raw.write(`${JSON.stringify(line)}\n`)
        const mayWait = request.raw.complete || raw.writableLength > maxUnreadBytes
        if (!raw.writableNeedDrain || !mayWait) continue
        // The timeout measures activity of the socket; Node destroys it, as nothing listens for `timeout`.
        raw.setTimeout(unreadMs)
        if (!(await drained(raw, gone.signal, mayRead))) throw new ServiceError('INVALID_ADMIN_KEY')
        raw.setTimeout(0)
      }
      if (!raw.headersSent) begin()
      raw.setTimeout(unreadMs)
      // Before Node sets the timeout of an idle connection; a pipelined request must have none.
      raw.prependOnceListener('finish', () => raw.setTimeout(0))
      // An answer that started before shutdown announced a connection that stays open; shutdown must not wait for it.
      raw.end(() => closing && request.raw.socket.end())
    } catch (error) {
      // Before the first line the error is answered in an envelope.
      if (!raw.headersSent) throw error
      breakOff(reply, error)
    }
  }

  return (...given) => {
    const answered = answer(...given).finally(() => running.delete(answered))
    running.add(answered)
    return answered
  }
}
