import { connect, createServer } from 'node:net'
import { createServer as createTlsServer, type TlsOptions } from 'node:tls'
import { listenOnLoopback } from '../../test/support/loopback.ts'

/** An encrypted record (RFC 8446 5.2) that no client can decrypt. */
const invalidRecord = Buffer.from('1703030005aaaaaaaaaa', 'hex')

interface SpoilingServer extends AsyncDisposable {
  readonly port: number
  /** Connections that got an invalid record so far. */
  readonly spoiled: number
}

/** A TLS server that sends an invalid record together with the end of its part of the handshake. */
export async function startSpoilingServer(certificate: Pick<TlsOptions, 'cert' | 'key'>): Promise<SpoilingServer> {
  let spoiled = 0
  const inner = createTlsServer(certificate).on('tlsClientError', () => {})
  const innerPort = await listenOnLoopback(inner)
  const outer = createServer((client) => {
    const server = connect(innerPort, '127.0.0.1')
    server.once('data', (handshake: Buffer) => {
      spoiled++
      client.end(Buffer.concat([handshake, invalidRecord]))
      server.destroy()
    })
    client.on('data', (bytes) => server.write(bytes))
    for (const socket of [client, server]) socket.on('error', () => socket.destroy())
  })
  const port = await listenOnLoopback(outer)
  return {
    port,
    get spoiled() {
      return spoiled
    },
    async [Symbol.asyncDispose]() {
      for (const server of [outer, inner]) await new Promise((closed) => server.close(closed))
    },
  }
}
