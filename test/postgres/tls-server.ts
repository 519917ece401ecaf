import assert from 'node:assert/strict'
import type { PostgresConnection } from '../../server/storage/postgres/driver/connection.ts'
import { ConnectionPool } from '../../server/storage/postgres/driver/connection-pool.ts'
import { parsePostgresUrl } from '../../server/storage/postgres/driver/postgres-url.ts'
import type { Certificate } from '../support/peers/certificate.ts'
import { createNode, type PostgresNode } from '../support/standby.ts'
import { until } from '../support/until.ts'

/** A server that takes connections under TLS, and in clear as well. */
export interface TlsServer extends PostgresNode {
  /** Writes files into its data folder, the server's own and nobody else's to read, as a key must be. */
  write(files: Readonly<Record<string, string>>): Promise<void>
  /** For all connections that are made from now on. */
  set(setting: string, value: string): Promise<void>
}

/** Starts one that shows this certificate. */
export async function startTlsServer({ cert, key }: Certificate): Promise<TlsServer> {
  const server = await createNode()
  await server.start()
  const node: TlsServer = {
    ...server,
    async write(files) {
      for (const [file, text] of Object.entries(files)) {
        const lines = `SELECT unnest(string_to_array('${text.trim()}', E'\\n'))`
        await server.ask(`COPY (${lines}) TO PROGRAM 'umask 077 && cat > ${file}'`)
      }
    },
    async set(setting, value) {
      await server.ask(`ALTER SYSTEM SET ${setting} = '${value}'`)
      await server.ask('SELECT pg_reload_conf()')
      await until(async () => (await server.ask(`SHOW ${setting}`))[0]![setting] === value)
    },
  }
  await node.write({ 'server.crt': cert, 'server.key': key })
  await node.set('ssl', 'on')
  return node
}

/** Of one connection, to a URL with its files. */
export function pool(url: string, responseTimeoutMs = 3_000): ConnectionPool & AsyncDisposable {
  const options = { hooks: {}, size: 1, maxWaiting: 1, acquireTimeoutMs: 3_000, responseTimeoutMs }
  const connections = new ConnectionPool({ url: parsePostgresUrl(url), ...options })
  return Object.assign(connections, { [Symbol.asyncDispose]: () => connections.close() })
}

/** How the server sees a connection: encrypted or not, and the name in the certificate that it was shown. */
export async function seen(connection: PostgresConnection): Promise<{ ssl: boolean; client_dn: string | null }> {
  const { rows } = await connection.execute('SELECT ssl, client_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
  return rows[0]
}

/** Asserts that nobody there can be used, that the message says why, and that it does not have the password. */
export async function isRefused(url: string, why: RegExp): Promise<void> {
  await using connections = pool(url)
  await assert.rejects(connections.use(seen), (error: Error) => {
    assert.equal(error.name, 'NoServerAvailable')
    assert.match(error.message, why)
    assert.doesNotMatch(error.message, /not-to-be-told/)
    return true
  })
}
