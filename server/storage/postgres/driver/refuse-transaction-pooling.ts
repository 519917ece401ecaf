import type { PostgresConnection } from './connection.ts'

/** Thrown at startup when sessions are not bound to connections. */
class TransactionPooling extends Error {
  override name = 'TransactionPooling'

  constructor() {
    super(
      'DATABASE_URL points to a pooler in transaction or statement mode, where session timeouts and prepared statements ' +
        'reach other clients; use session mode (PgBouncer: pool_mode = session), or connect to PostgreSQL directly',
    )
  }
}

/** One round detects transaction mode in an idle pool; more are needed when other clients of the pooler interfere. */
const rounds = 3

const serverProcessOf = async (connection: PostgresConnection): Promise<number> =>
  (await connection.execute('SELECT pg_backend_pid() AS pid')).rows[0].pid

/**
 * A pooler announces its own process ids. In session mode a connection keeps its server process; in transaction mode
 * a second connection gets the process that served the first.
 * @throws TransactionPooling
 */
export async function refuseTransactionPooling(first: PostgresConnection): Promise<void> {
  const process = await serverProcessOf(first)
  if (process === first.announcedProcessId) return
  // In session mode, a pooler whose server connections are all in use cannot open a second one.
  const second = await first.openAnother().catch(() => null)
  if (second === null) return
  try {
    for (let round = 0; round < rounds; round++) {
      // In statement mode, PgBouncer rejects transactions.
      const isRejected = await second.execute('BEGIN').then(
        () => false,
        () => true,
      )
      if (isRejected || (await serverProcessOf(second)) === process || (await serverProcessOf(first)) !== process)
        throw new TransactionPooling()
      await second.execute('ROLLBACK')
    }
  } finally {
    second.close()
  }
}
