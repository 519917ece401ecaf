import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'

/** Where a connection is cut. */
export interface Cut {
  /** The name of a statement. The first connection that sends it is cut. */
  readonly statement: string
  /**
   * `before COMMIT`: the COMMIT does not reach the server. `after COMMIT`: the COMMIT is done, but its answer is lost.
   * `shut down after COMMIT`: after the answer, the server says that an administrator ends the connection. `failed sync of
   * COMMIT`: the COMMIT is done, but the server answers that it failed to sync its log. A number: cut after this many bytes,
   * from the first of the message with the statement.
   */
  readonly at: 'before COMMIT' | 'after COMMIT' | 'shut down after COMMIT' | 'failed sync of COMMIT' | number
}

const COMMIT = Buffer.from('COMMIT\0')
/** The type and the length of a message come before the text of a query. */
const queryHeader = 5

/** ErrorResponse (PostgreSQL manual, 55.7): admin_shutdown. */
const adminShutdown = errorResponse({ S: 'FATAL', V: 'FATAL', C: '57P01', M: 'terminating connection' })

/** What a server says that could not sync the record of a COMMIT, before it restarts and may find that record. */
const failedSync = errorResponse({ S: 'PANIC', V: 'PANIC', C: '58030', M: 'could not fdatasync file' })

function errorResponse(fields: Record<string, string>): Buffer {
  const text = Object.entries(fields).map(([type, value]) => `${type}${value}\0`)
  const body = Buffer.from(`${text.join('')}\0`)
  const header = Buffer.from('E\0\0\0\0')
  header.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([header, body])
}

/** A connection of the service and its counterpart to the server. */
interface Relay {
  readonly client: Socket
  readonly server: Socket
  /** Whether it has sent the statement of the armed cut. */
  isTarget: boolean
  /** Bytes to pass before the cut. */
  bytesLeft: number
  /** Whether answers are dropped until that of the COMMIT. */
  muted: boolean
}

/** A proxy in front of a PostgreSQL server that loses, delays and cuts traffic on demand. */
export class CuttingProxy implements AsyncDisposable {
  /** The server's URL, through this proxy. */
  readonly url: string
  readonly #target: URL
  readonly #listener: Server
  readonly #relays = new Set<Relay>()
  #armed: { readonly where: Cut; readonly done: () => void } | null = null
  #hanging = false
  #delayMs = 0

  private constructor(serverUrl: string, listener: Server) {
    const url = new URL(serverUrl)
    url.hostname = '127.0.0.1'
    url.port = String((listener.address() as { port: number }).port)
    this.url = url.href
    this.#target = new URL(serverUrl)
    this.#listener = listener
    listener.on('connection', (client) => this.#relay(client))
  }

  static async start(serverUrl: string): Promise<CuttingProxy> {
    const listener = createServer()
    listener.listen(0, '127.0.0.1')
    await once(listener, 'listening')
    return new CuttingProxy(serverUrl, listener)
  }

  /** Cuts one connection; resolves when it is cut. */
  cut(where: Cut): Promise<void> {
    return new Promise((done) => {
      this.#armed = { where, done }
    })
  }

  /** Passes nothing in either direction from now on. Connections are accepted and stay open. */
  hang(): void {
    this.#hanging = true
    this.#forEachSocket((socket) => socket.pause())
  }

  /** Passes everything again, including what was held back. */
  flow(): void {
    this.#hanging = false
    this.#forEachSocket((socket) => socket.resume())
  }

  /** Delays every answer of the server. */
  delay(ms: number): void {
    this.#delayMs = ms
  }

  cutAll(): void {
    this.#forEachSocket((socket) => socket.destroy())
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.cutAll()
    this.#listener.close()
    await once(this.#listener, 'close')
  }

  #relay(client: Socket): void {
    const server = connect({ host: this.#target.hostname, port: Number(this.#target.port), noDelay: true })
    client.setNoDelay(true)
    const relay: Relay = { client, server, isTarget: false, bytesLeft: Number.POSITIVE_INFINITY, muted: false }
    this.#relays.add(relay)
    client.on('data', (chunk: Buffer) => this.#passToServer(relay, chunk))
    server.on('data', (chunk: Buffer) => {
      if (this.#delayMs > 0) setTimeout(() => this.#passToClient(relay, chunk), this.#delayMs)
      else this.#passToClient(relay, chunk)
    })
    for (const socket of [client, server]) {
      if (this.#hanging) socket.pause()
      socket.on('error', () => end(relay))
      socket.on('close', () => {
        end(relay)
        this.#relays.delete(relay)
      })
    }
  }

  #passToServer(relay: Relay, chunk: Buffer): void {
    const where = this.#armed?.where
    if (where !== undefined && !relay.isTarget && chunk.includes(`${where.statement}\0`)) {
      relay.isTarget = true
      if (typeof where.at === 'number') relay.bytesLeft = where.at
    }
    if (where === undefined || !relay.isTarget) relay.server.write(chunk)
    else if (typeof where.at === 'number') this.#passBytes(relay, chunk)
    else this.#passUntilCommit(relay, chunk, where.at)
  }

  #passBytes(relay: Relay, chunk: Buffer): void {
    relay.server.write(chunk.subarray(0, relay.bytesLeft))
    relay.bytesLeft -= chunk.length
    if (relay.bytesLeft <= 0) relay.server.end(() => this.#cutNow(relay))
  }

  #passUntilCommit(relay: Relay, chunk: Buffer, at: Cut['at']): void {
    const commitAt = chunk.indexOf(COMMIT)
    if (commitAt >= 0 && at === 'before COMMIT') {
      // Everything before the COMMIT still reaches the server.
      relay.server.end(chunk.subarray(0, commitAt - queryHeader), () => this.#cutNow(relay))
    } else {
      relay.muted ||= commitAt >= 0
      relay.server.write(chunk)
    }
  }

  #passToClient(relay: Relay, chunk: Buffer): void {
    const at = this.#armed?.where.at
    const answersFirst = at === 'shut down after COMMIT' || at === 'failed sync of COMMIT'
    const commitAt = relay.muted ? chunk.indexOf(COMMIT) : -1
    if (commitAt < 0) {
      if (!relay.muted || answersFirst) relay.client.write(chunk)
    } else if (at === 'shut down after COMMIT') {
      const answer = Buffer.concat([chunk.subarray(0, commitAt + COMMIT.length), adminShutdown])
      relay.client.end(answer, () => this.#cutNow(relay))
    } else if (at === 'failed sync of COMMIT') {
      const answer = Buffer.concat([chunk.subarray(0, commitAt - queryHeader), failedSync])
      relay.client.end(answer, () => this.#cutNow(relay))
    } else this.#cutNow(relay)
  }

  #cutNow(relay: Relay): void {
    end(relay)
    this.#armed?.done()
    this.#armed = null
  }

  #forEachSocket(act: (socket: Socket) => void): void {
    for (const { client, server } of this.#relays) for (const socket of [client, server]) act(socket)
  }
}

function end({ client, server }: Relay): void {
  client.destroy()
  server.destroy()
}
