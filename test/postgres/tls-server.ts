import assert from 'node:assert/strict'
import type { PostgresConnection } from '../../server/storage/postgres/driver/connection.ts'
import { testPool } from '../../server/storage/postgres/driver/connection-pool.testkit.ts'
import type { ConnectionPool } from '../../server/storage/postgres/driver/connection-pool.ts'
import { createNode, type PostgresNode } from '../support/databases/standby.ts'
import type { Certificate } from '../support/peers/certificate.ts'
import { until } from '../support/until.ts'

/** A server that accepts TLS and unencrypted connections. */
export interface TlsServer extends PostgresNode {
  /** Writes files into the data folder, readable by the server only, as private keys must be. */
  write(files: Readonly<Record<string, string>>): Promise<void>
  /** Changes a setting for new connections. */
  set(setting: string, value: string): Promise<void>
}

/** Starts a server with this certificate. */
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

/** A pool of one connection. */
export const pool = (url: string, responseTimeoutMs = 3_000): ConnectionPool & AsyncDisposable =>
  testPool(url, { size: 1, maxWaiting: 1, acquireTimeoutMs: 3_000, responseTimeoutMs })

/** What the server knows of a connection: whether it is encrypted, and the name in the client certificate. */
export async function tlsStateOf(connection: PostgresConnection): Promise<{ ssl: boolean; client_dn: string | null }> {
  const { rows } = await connection.execute('SELECT ssl, client_dn FROM pg_stat_ssl WHERE pid = pg_backend_pid()')
  return rows[0]
}

/** Asserts that no host can be used, and that the error gives the reason without the password. */
export async function isRefused(url: string, why: RegExp): Promise<void> {
  await using connections = pool(url)
  await assert.rejects(connections.use(tlsStateOf), (error: Error) => {
    assert.equal(error.name, 'NoServerAvailable')
    assert.match(error.message, why)
    assert.doesNotMatch(error.message, /not-to-be-told/)
    return true
  })
}
