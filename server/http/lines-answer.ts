import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Clock } from '../core/clock.ts'
import { refusalBody } from './answer.ts'
import { linesType, lingerMs } from './lines-body.ts'
import { refusalOf } from './refusal-of.ts'

/** Answers with lines, each as soon as there is one; rejects with what comes before the first. */
export type AnswerLines = (reply: FastifyReply, status: number, lines: AsyncIterable<unknown>) => Promise<void>

/**
 * Many clients send all of their body before they read any of the answer: until then so many bytes of it wait for them,
 * and only past that no more of the body is read.
 */
const maxUnreadBytes = 16_777_216

/** NDJSON as an answer, written no faster than it is read. Who takes no byte of it for `unreadMs` is cut off. */
export function createLinesAnswers(
  app: FastifyInstance,
  { clock, unreadMs }: { clock: Clock; unreadMs: number },
): AnswerLines {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })

  /** The last line says why, and the end of the answer is missing: nobody takes it for a whole one. */
  function breakOff({ raw, request }: FastifyReply, error: unknown): void {
    const refusal = refusalOf(error, request)
    request.setDecorator('refusedAs', refusal.code)
    request.raw.resume()
    raw.write(`${refusalBody(refusal, request.id, clock.now())}\n`, () => raw.socket?.end())
    setTimeout(() => raw.destroy(), lingerMs).unref()
  }

  return async (reply, status, lines) => {
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
        'x-accel-buffering': 'no', // Or nginx would collect lines before it hands them on.
      })
    }

    try {
      for await (const line of request.raw.method === 'HEAD' ? [] : lines) {
        if (gone.signal.aborted) break
        if (!raw.headersSent) begin()
        raw.write(`${JSON.stringify(line)}\n`)
        const mayWait = request.raw.complete || raw.writableLength > maxUnreadBytes
        if (raw.writableNeedDrain && mayWait) await drained(raw, unreadMs, gone.signal)
      }
      if (!raw.headersSent) begin()
      // Begun before the service began to close, it promised to keep the connection: nobody else is to wait for that.
      raw.end(() => closing && request.raw.socket.end())
    } catch (error) {
      // What is refused before the first line is an envelope of its own.
      if (!raw.headersSent) throw error
      breakOff(reply, error)
    }
  }
}

/** Resolves when all that was written is on its way, or the client has gone; one that takes nothing for so long goes. */
async function drained(raw: ServerResponse, unreadMs: number, gone: AbortSignal): Promise<void> {
  // The socket knows whether bytes go out; with nobody listening, Node cuts it off.
  raw.setTimeout(unreadMs)
  await once(raw, 'drain', { signal: gone }).catch((error: unknown) => {
    if (!gone.aborted) throw error
  })
  raw.setTimeout(0)
}
