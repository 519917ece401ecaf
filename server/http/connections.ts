import type { Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { setImmediate } from 'node:timers/promises'

/** Ends the connections of an HTTP server without resetting a request that was sent or an answer that was begun. */
export interface Connections {
  /** From now on every answer carries `Connection: close`, including those whose headers are not sent yet. */
  closeAfterAnswers(): void
  /**
   * Closes the listener and the idle connections. Resolves when both are closed, within about two seconds. Requests that
   * were accepted are still read and answered.
   */
  stopListening(): Promise<void>
  /**
   * While the listener is being closed: resolves when it is. Requests wait for it before they are handled. Otherwise each
   * answer would let its client send the next request, and under load the queue of new connections would never be empty.
   */
  readonly held: Promise<void> | null
}

interface Connection {
  readonly acceptedAt: number
  /** Answers that are not written out yet; several when requests are pipelined. */
  answers: number
  latest: ServerResponse | null
  /** `bytesRead` when the last answer was written out; more than that is the beginning of another request. */
  bytesAtRest: number
}

/** Milliseconds. A turn of the event loop that does nothing takes one or two microseconds. */
const shortTurnMs = 0.02
/** Clients that were just answered come back within less. */
const pauseMs = 10
/** After so many milliseconds without a short turn the listener is closed all the same. */
const longestWaitMs = 2_000
/** A client that has connected is expected to send its first request within so many milliseconds. */
const silentMs = 1_000

/** Watches over the connections of a server that does not listen yet. */
export function watchConnections(server: Server): Connections {
  const open = new Map<Socket, Connection>()
  let accepted = 0
  let isClosing = false
  let held: Promise<void> | null = null

  server.on('connection', (socket: Socket) => {
    accepted++
    open.set(socket, { acceptedAt: performance.now(), answers: 0, latest: null, bytesAtRest: 0 })
    socket.once('close', () => open.delete(socket))
  })

  // First of the listeners: the headers of the answer are not sent yet.
  server.prependListener('request', ({ socket }, response) => {
    const connection = open.get(socket)
    if (connection === undefined) return
    const earlier = connection.latest
    connection.answers++
    connection.latest = response
    response.once('close', () => {
      connection.answers--
      connection.bytesAtRest = socket.bytesRead
    })
    if (!isClosing) return
    // Of pipelined requests, the last one's answer ends the connection.
    if (earlier !== null && !earlier.headersSent) earlier.removeHeader('connection')
    response.setHeader('connection', 'close')
  })

  /**
   * Resolves right after a turn of the event loop that was short and accepted no connection, at the end of a pause in
   * which none came. Node accepts one connection a turn, so only then is the kernel's queue empty, and closing resets no
   * connection in it. A turn that was long, such as one in which the process was suspended, says nothing: connections may
   * have arrived after Node looked.
   */
  async function quietTurn(): Promise<void> {
    const giveUpAt = performance.now() + longestWaitMs
    await setImmediate()
    let before = accepted
    let quietSince = performance.now()
    for (let begunAt = quietSince; ; ) {
      await setImmediate()
      const now = performance.now()
      if (accepted !== before) {
        before = accepted
        quietSince = now
      } else if ((now - begunAt < shortTurnMs && now - quietSince > pauseMs) || now > giveUpAt) return
      begunAt = now
    }
  }

  /**
   * Node's own counts a connection as idle as soon as its answer is ended, and cuts off what a slow client has not read
   * yet. It also never counts a connection as idle that has not sent anything.
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
    // Compiles what runs between the quiet turn and the end of the listener.
    new NetServer().close()
    await quietTurn()
    // The listener first: closing many idle connections takes a while.
    NetServer.prototype.close.call(server)
    closeIdleConnections()
    held = null
    setTimeout(async () => {
      await quietTurn()
      closeIdleConnections()
    }, silentMs).unref()
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
