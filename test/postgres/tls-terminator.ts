import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { TLSSocket, type TLSSocketOptions } from 'node:tls'
import { listenOnLoopback } from '../support/loopback.ts'
import type { Certificate } from '../support/peers/certificate.ts'

/** A listener that a client takes for a PostgreSQL server. */
interface Peer extends AsyncDisposable {
  readonly port: number
  /** The bytes that clients sent, decrypted; resolves when all clients have disconnected. */
  received(): Promise<Buffer>
}

/** Terminates TLS in front of a server, as a pooler does. */
interface TlsTerminator extends Peer {
  /** The host names that clients sent (SNI). */
  readonly names: readonly string[]
}

/** `SSLRequest` of PostgreSQL's protocol, the only message that a client may send unencrypted. */
export const sslRequest = Buffer.from('0000000804d2162f', 'hex')

/** Starts a terminator with this certificate in front of a server on this machine. It may require client certificates. */
export async function startTlsTerminator(
  certificate: Certificate & Pick<TLSSocketOptions, 'requestCert' | 'rejectUnauthorized'>,
  serverPort: number,
): Promise<TlsTerminator> {
  const names: string[] = []
  function SNICallback(name: string, done: (error: null) => void): void {
    names.push(name)
    done(null)
  }
  const peer = await startPeer((socket, record) => {
    socket.once('data', () => {
      socket.write('S')
      const secure = new TLSSocket(socket, { isServer: true, SNICallback, ...certificate })
      const upstream = connect(serverPort, '127.0.0.1')
      secure.on('data', record)
      secure.on('error', () => {})
      secure.on('close', () => upstream.destroy())
      upstream.on('error', () => {})
      upstream.on('close', () => secure.destroy())
      secure.pipe(upstream).pipe(secure)
    })
  })
  return { ...peer, names }
}

/** Starts a listener that answers the first message with these bytes. */
export const startImpostor = (answer: Uint8Array): Promise<Peer> =>
  startPeer((socket, record) => {
    socket.on('data', record)
    socket.once('data', () => socket.write(answer))
  })

async function startPeer(receive: (socket: Socket, record: (chunk: Buffer) => void) => void): Promise<Peer> {
  const sockets = new Set<Socket>()
  const chunks: Buffer[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    receive(socket, (chunk) => chunks.push(chunk))
  })
  const port = await listenOnLoopback(server)
  return {
    port,
    async received() {
      await Promise.allSettled([...sockets].map((socket) => once(socket, 'close')))
      return Buffer.concat(chunks)
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
