import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { TLSSocket, type TLSSocketOptions } from 'node:tls'
import type { Certificate } from '../support/peers/certificate.ts'

/** Something on a port that a client takes for a PostgreSQL server. */
export interface Peer extends AsyncDisposable {
  readonly port: number
  /** What clients said, under TLS where there was any; resolves when they have all gone. */
  heard(): Promise<Buffer>
}

/** Where TLS ends before a server, as a pooler ends it. */
export interface TlsTerminator extends Peer {
  /** The names that clients asked for (SNI). */
  readonly names: readonly string[]
}

/** `SSLRequest` of PostgreSQL's protocol: the only thing a client may say in clear. */
export const sslRequest = Buffer.from('0000000804d2162f', 'hex')

/** Starts one with a certificate of its own before a server on this machine; it may want one of its clients too. */
export async function startTlsTerminator(
  certificate: Certificate & Pick<TLSSocketOptions, 'requestCert' | 'rejectUnauthorized'>,
  serverPort: number,
): Promise<TlsTerminator> {
  const names: string[] = []
  function SNICallback(name: string, done: (error: null) => void): void {
    names.push(name)
    done(null)
  }
  const peer = await startPeer((socket, hear) => {
    socket.once('data', () => {
      socket.write('S')
      const secure = new TLSSocket(socket, { isServer: true, SNICallback, ...certificate })
      const onward = connect(serverPort, '127.0.0.1')
      secure.on('data', hear)
      secure.on('error', () => {})
      secure.on('close', () => onward.destroy())
      onward.on('error', () => {})
      onward.on('close', () => secure.destroy())
      secure.pipe(onward).pipe(secure)
    })
  })
  return { ...peer, names }
}

/** Starts one that answers whatever it is told first with these bytes. */
export const startImpostor = (answer: Uint8Array): Promise<Peer> =>
  startPeer((socket, hear) => {
    socket.on('data', hear)
    socket.once('data', () => socket.write(answer))
  })

async function startPeer(receive: (socket: Socket, hear: (chunk: Buffer) => void) => void): Promise<Peer> {
  const sockets = new Set<Socket>()
  const chunks: Buffer[] = []
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    receive(socket, (chunk) => chunks.push(chunk))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    async heard() {
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
