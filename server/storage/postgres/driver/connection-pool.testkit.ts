import type { Statement } from '../../statement.ts'
import type { PostgresConnection } from './connection.ts'
import { ConnectionPool, type ConnectionPoolOptions } from './connection-pool.ts'
import { parsePostgresUrl } from './postgres-url.ts'

export type TestPoolOptions = Partial<Omit<ConnectionPoolOptions, 'url'>>

/** A pool that is closed with the test. */
export function testPool(url: string, options: TestPoolOptions = {}): ConnectionPool & AsyncDisposable {
  const defaults = { hooks: {}, size: 2, maxWaiting: 10, acquireTimeoutMs: 5_000, responseTimeoutMs: 5_000 }
  const pool = new ConnectionPool({ ...defaults, ...options, url: parsePostgresUrl(url) })
  return Object.assign(pool, { [Symbol.asyncDispose]: () => pool.close() })
}

/** A statement that is not registered, so the checks of all registered statements do not see it. */
export const testStatement = (name: string, sql: string, parameters = 0, arrays = false): Statement<never> =>
  ({ name, sql, parameters, reach: 'system', returning: false, arrays }) as Statement<never>

export const serverProcessOf = async (connection: PostgresConnection): Promise<number> =>
  (await connection.execute('SELECT pg_backend_pid() AS pid')).rows[0].pid

export const nothing = async (): Promise<void> => {}

/** Uses a connection until it is released. */
export function occupy(pool: ConnectionPool): { readonly release: () => void; readonly released: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { release: resolve, released: pool.use(() => promise) }
}
