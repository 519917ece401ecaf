import type { Socket } from 'node:net'
import { dial, type Exchange } from '../../support/http/wire.ts'
import { AnswerReader, type WireAnswer } from '../../support/http/wire-answer.ts'

/** A request without an answer within this time hangs. */
const patienceMs = 10_000
/** Long enough for any answer; bytes without an answer by then were not a complete request. */
const listenMs = 80

/** Sends one request after another on a keep-alive connection, and reconnects when the server closes it. */
export class FuzzConnection {
  readonly #baseUrl: string
  #socket: Socket | null = null

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  /** Sends a complete request and waits for its answer; null when there is none. */
  async ask(bytes: Buffer, method: string): Promise<WireAnswer | null> {
    this.#socket ??= dial(this.#baseUrl)
    const socket = this.#socket
    const reader = new AnswerReader(method === 'HEAD')
    const { promise, resolve } = Promise.withResolvers<WireAnswer | null>()
    const timer = setTimeout(() => resolve(null), patienceMs)
    const onData = (chunk: Buffer) => {
      reader.feed(chunk)
      if (reader.answers.length > 0) resolve(reader.answers[0]!)
    }
    const onEnd = () => resolve(reader.answers[0] ?? null)
    socket.on('data', onData).once('close', onEnd).once('error', onEnd)
    socket.write(bytes)
    const answer = await promise
    clearTimeout(timer)
    socket.off('data', onData).off('close', onEnd).off('error', onEnd)
    if (answer === null || socket.destroyed || answer.headers['connection'] === 'close') this.close()
    return answer
  }

  close(): void {
    this.#socket?.on('error', () => {}).destroy()
    this.#socket = null
  }
}

/**
 * Writes bytes that may not be a request, and reads until the server closes. After a silence this side closes too,
 * after which the server must close.
 */
export async function provoke(baseUrl: string, bytes: Buffer): Promise<Exchange> {
  const socket = dial(baseUrl)
  const reader = new AnswerReader()
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const quiet = setTimeout(() => socket.end(), listenMs)
  const hung = setTimeout(() => resolve(false), patienceMs)
  socket.on('data', (chunk: Buffer) => reader.feed(chunk))
  socket.on('error', () => resolve(true)).on('close', () => resolve(true))
  socket.write(bytes)
  const closed = await promise
  clearTimeout(quiet)
  clearTimeout(hung)
  socket.destroy()
  return { answers: reader.answers, closed }
}
