import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

/** Where a connection is cut. */
export interface Cut {
  /** Of the first connection that sends this statement, by its name. */
  readonly statement: string
  /**
   * `before COMMIT`: its COMMIT never reaches the server. `after COMMIT`: its COMMIT is done, and the answer never
   * comes. `shut down after COMMIT`: the answer comes, and in place of what follows it the server's word that an
   * administrator ends the connection. A number: so many bytes are let through, from the first of that piece on.
   */
  readonly at: 'before COMMIT' | 'after COMMIT' | 'shut down after COMMIT' | number
}

/** A way to a PostgreSQL server that breaks when a test wants it to. */
export interface CuttingProxy extends AsyncDisposable {
  /** The server's URL, through here. */
  readonly url: string
  /** Cuts once; resolves when it has. */
  cut(where: Cut): Promise<void>
  /** From now on nothing is let through in either direction; connections are taken, and stay. */
  hang(): void
  /** Lets through what was held up, and everything after it. */
  flow(): void
  /** Every answer of the server is held up for so long. */
  delay(ms: number): void
  /** Breaks every connection. */
  cutAll(): void
}

const COMMIT = Buffer.from('COMMIT\0')
/** The type of a message and its length stand before the text of a query. */
const headOfQuery = 5

/** ErrorResponse (PostgreSQL manual, 55.7): admin_shutdown. */
const adminShutdown = errorResponse({ S: 'FATAL', V: 'FATAL', C: '57P01', M: 'terminating connection' })

function errorResponse(fields: Record<string, string>): Buffer {
  const text = Object.entries(fields).map(([type, value]) => `${type}${value}\0`)
  const body = Buffer.from(`${text.join('')}\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeInt32BE(body.length + 4, 1)
  return Buffer.concat([head, body])
}

/** One connection of the service and its counterpart. */
interface Through {
  readonly client: Socket
  readonly server: Socket
  named: boolean
  /** Bytes that are let through until it is cut. */
  left: number
  muted: boolean
}

export async function startCuttingProxy(serverUrl: string): Promise<CuttingProxy> {
  const target = new URL(serverUrl)
  const connections = new Set<Through>()
  let armed: { where: Cut; done: () => void } | null = null
  let hanging = false
  let delayMs = 0

  function end({ client, server }: Through): void {
    client.destroy()
    server.destroy()
  }

  function cutNow(through: Through): void {
    end(through)
    armed?.done()
    armed = null
  }

  /** What the service sends. */
  function forth(through: Through, chunk: Buffer): void {
    if (armed !== null && !through.named && chunk.includes(`${armed.where.statement}\0`)) {
      through.named = true
      if (typeof armed.where.at === 'number') through.left = armed.where.at
    }
    if (armed === null || !through.named) through.server.write(chunk)
    else if (typeof armed.where.at === 'number') {
      through.server.write(chunk.subarray(0, through.left))
      through.left -= chunk.length
      if (through.left <= 0) through.server.end(() => cutNow(through))
    } else {
      const at = chunk.indexOf(COMMIT)
      if (at >= 0 && armed.where.at === 'before COMMIT') {
        // What was let through arrives, the COMMIT does not.
        through.server.end(chunk.subarray(0, at - headOfQuery), () => cutNow(through))
      } else {
        through.muted ||= at >= 0
        through.server.write(chunk)
      }
    }
  }

  /** What the server answers. */
  function back(through: Through, chunk: Buffer): void {
    const shutsDown = armed?.where.at === 'shut down after COMMIT'
    const at = through.muted ? chunk.indexOf(COMMIT) : -1
    if (at < 0) {
      if (!through.muted || shutsDown) through.client.write(chunk)
    } else if (shutsDown) {
      const answer = Buffer.concat([chunk.subarray(0, at + COMMIT.length), adminShutdown])
      through.client.end(answer, () => cutNow(through))
    } else cutNow(through)
  }

  const proxy = createServer((client) => {
    const server = connect({ host: target.hostname, port: Number(target.port), noDelay: true })
    client.setNoDelay(true)
    const through: Through = { client, server, named: false, left: Number.POSITIVE_INFINITY, muted: false }
    connections.add(through)
    client.on('data', (chunk: Buffer) => forth(through, chunk))
    server.on('data', (chunk: Buffer) => {
      if (delayMs > 0) setTimeout(() => back(through, chunk), delayMs)
      else back(through, chunk)
    })
    for (const socket of [client, server]) {
      if (hanging) socket.pause()
      socket.on('error', () => end(through))
      socket.on('close', () => {
        end(through)
        connections.delete(through)
      })
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const url = new URL(serverUrl)
  url.hostname = '127.0.0.1'
  url.port = String((proxy.address() as { port: number }).port)

  function each(act: (socket: Socket) => void): void {
    for (const { client, server } of connections) for (const socket of [client, server]) act(socket)
  }

  return {
    url: url.href,
    cut: (where) =>
      new Promise((done) => {
        armed = { where, done }
      }),
    hang() {
      hanging = true
      each((socket) => socket.pause())
    },
    flow() {
      hanging = false
      each((socket) => socket.resume())
    },
    delay(ms) {
      delayMs = ms
    },
    cutAll: () => each((socket) => socket.destroy()),
    async [Symbol.asyncDispose]() {
      each((socket) => socket.destroy())
      proxy.close()
      await once(proxy, 'close')
    },
  }
}
