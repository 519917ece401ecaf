import type { PostgresConnection } from './connection.ts'

/** Thrown at startup: sessions do not belong to connections. */
export class TransactionPooling extends Error {
  override name = 'TransactionPooling'

  constructor() {
    super(
      'DATABASE_URL: the pooler there runs in transaction or statement mode, in which time-outs and prepared statements of a ' +
        'session reach other clients; use session mode (PgBouncer: pool_mode = session), or connect to PostgreSQL directly',
    )
  }
}

/** Other clients of the pooler may come between; in a pool that is not busy one turn suffices. */
const turns = 3

const backendOf = async (connection: PostgresConnection): Promise<number> =>
  (await connection.execute('SELECT pg_backend_pid() AS pid')).rows[0].pid

/**
 * A pooler announces process ids of its own. In session mode a connection keeps its server process, whatever others do; in
 * transaction mode a second connection is served by the process that served the first one.
 * @throws TransactionPooling
 */
export async function refuseTransactionPooling(first: PostgresConnection): Promise<void> {
  const own = await backendOf(first)
  if (own === first.announcedProcessId) return
  // A pool without a connection to spare, in session mode, has no second one.
  const second = await first.another().catch(() => null)
  if (second === null) return
  try {
    for (let turn = 0; turn < turns; turn++) {
      // PgBouncer refuses transactions in statement mode.
      const isRefused = await second.execute('BEGIN').then(
        () => false,
        () => true,
      )
      if (isRefused || (await backendOf(second)) === own || (await backendOf(first)) !== own)
        throw new TransactionPooling()
      await second.execute('ROLLBACK')
    }
  } finally {
    second.close()
  }
}
