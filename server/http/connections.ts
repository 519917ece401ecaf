import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, Socket } from 'node:net'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'

/** Closes the connections of an HTTP server without resetting a request that was sent or an answer that has started. */
interface Connections {
  /** From now on every answer carries `Connection: close`, including those whose headers are not sent yet. */
  closeAfterAnswers(): void
  /**
   * Closes the listener and the idle connections. Resolves when both are closed, within about two seconds. Requests that
   * were accepted are still read and answered.
   */
  stopListening(): Promise<void>
  /**
   * Pending while the listener is being closed. Requests wait for it before they are handled: otherwise each answer would
   * let its client send the next request, and under load the queue of new connections would never be empty.
   */
  readonly held: Promise<void> | null
}

interface Connection {
  readonly acceptedAt: number
  /** Answers that are not fully sent; several when requests are pipelined. */
  answers: number
  latest: ServerResponse | null
  /** `bytesRead` when the last answer was sent; a higher value means that another request has started. */
  bytesAtRest: number
}

/** Milliseconds. An idle turn of the event loop takes one or two microseconds. */
const shortTurnMs = 0.02
/** Clients that reconnect after an answer do so within less, also on a busy machine. */
const reconnectMs = 100
/** The listener is closed after this time, however busy it is. */
const longestWaitMs = 2_000
/** How long a client may take from connecting to its first request. */
const silentMs = 1_000
/** How long the rest of a body is discarded after the answer, so that the client can read the answer. */
const lingerMs = 1_000

/**
 * How long no client may have connected or been answered before the listener is closed. The longer that takes, the less is asked
 * for: where clients never pause, the longest gap has to do.
 * @param waited milliseconds so far
 */
export const quietMs = (waited: number): number => reconnectMs * (1 - waited / longestWaitMs)

/**
 * Node calls `destroySoon` after an answer that ends the connection. While a body arrives, that resets the connection: a proxy
 * such as nginx answers 502 then, and other clients may lose the answer.
 */
function closeAfterBody(socket: Socket, request: IncomingMessage | undefined): void {
  if (request === undefined || request.complete) {
    Socket.prototype.destroySoon.call(socket)
    return
  }
  socket.end()
  request.resume().once('close', () => Socket.prototype.destroySoon.call(socket))
  const lingering = setTimeout(() => socket.destroy(), lingerMs).unref()
  socket.once('close', () => clearTimeout(lingering))
}

/** Tracks the connections of a server that does not listen yet. */
export function watchConnections(server: Server): Connections {
  const open = new Map<Socket, Connection>()
  let accepted = 0
  /** When a connection was accepted or an answer sent; after both, a client may open the next connection. */
  let activeAt = Number.NEGATIVE_INFINITY
  let isClosing = false
  let held: Promise<void> | null = null

  server.on('connection', (socket: Socket) => {
    accepted++
    activeAt = performance.now()
    open.set(socket, { acceptedAt: activeAt, answers: 0, latest: null, bytesAtRest: 0 })
    socket.once('close', () => open.delete(socket))
    socket.destroySoon = () => closeAfterBody(socket, open.get(socket)?.latest?.req)
  })

  // Runs before the other listeners, while the headers of the answer can still be set.
  server.prependListener('request', ({ socket }, response) => {
    const connection = open.get(socket)
    if (connection === undefined) return
    const earlier = connection.latest
    connection.answers++
    connection.latest = response
    response.once('close', () => {
      activeAt = performance.now()
      connection.answers--
      connection.bytesAtRest = socket.bytesRead
    })
    if (!isClosing) return
    // Of pipelined requests, the last one's answer ends the connection.
    if (earlier !== null && !earlier.headersSent) earlier.removeHeader('connection')
    response.setHeader('connection', 'close')
  })

  /**
   * Resolves right after a short turn of the event loop that accepted no connection, when no client is about to reconnect.
   * Node accepts one connection per turn, so only then is the accept queue empty, and closing resets no connection in it.
   * After a long turn, such as one in which the process was suspended, connections may have arrived since Node polled.
   */
  async function quietTurn(): Promise<void> {
    const begunAt = performance.now()
    for (let waited = 0; waited < longestWaitMs; waited = performance.now() - begunAt) {
      const untilQuiet = activeAt + quietMs(waited) - performance.now()
      if (untilQuiet > 0) await sleep(untilQuiet)
      else if (await isShortTurn()) return
    }
  }

  async function isShortTurn(): Promise<boolean> {
    const [before, begunAt] = [accepted, performance.now()]
    await setImmediate()
    return accepted === before && performance.now() - begunAt < shortTurnMs
  }

  /**
   * Node's version treats a connection as idle as soon as `end()` was called, and cuts off what a slow client has not read
   * yet. It never treats a connection as idle that has not sent anything.
   */
  function closeIdleConnections(): void {
    const now = performance.now()
    for (const [socket, { acceptedAt, answers, bytesAtRest }] of open) {
      const mayBegin = bytesAtRest === 0 && now - acceptedAt < silentMs
      if (answers === 0 && socket.bytesRead === bytesAtRest && !mayBegin) socket.destroy()
    }
  }
  server.closeIdleConnections = closeIdleConnections

  function closeAfterAnswers(): void {
    isClosing = true
    for (const { latest } of open.values()) {
      if (latest !== null && !latest.headersSent) latest.setHeader('connection', 'close')
    }
  }

  async function closeListener(): Promise<void> {
    // Compiles the code that runs between the quiet turn and the closed listener.
    new NetServer().close()
    await quietTurn()
    // The listener first, because closing many idle connections takes a while.
    NetServer.prototype.close.call(server)
    closeIdleConnections()
    held = null
    void closeSilentConnections()
  }

  async function closeSilentConnections(): Promise<void> {
    await sleep(silentMs, undefined, { ref: false })
    await quietTurn()
    closeIdleConnections()
  }

  return {
    closeAfterAnswers,
    stopListening() {
      closeAfterAnswers()
      held = closeListener()
      return held
    },
    get held() {
      return held
    },
  }
}
