import type { ConnectionPool } from './driver/connection-pool.ts'
import { ownTables } from './own-tables.ts'

/** A process looks again after this many transactions, and not sooner than after this time. */
const everyTransactions = 100
const everyMs = 1_000

/** Sizes in pages, of 8 KiB by default. */
interface Range {
  /** In a smaller table, every plan is fast. */
  readonly smallest: number
  /** Analyzing a larger one takes long. Its plans are good: they were made while it was large, or after it was analyzed. */
  readonly largest: number
}

/** The tables that are twice as large as when they were analyzed last. Only an owner may analyze a table. */
const grownTables = ({ smallest, largest }: Range) => `SELECT oid::regclass::text AS name
  FROM (SELECT oid, relpages, pg_relation_size(oid) / current_setting('block_size')::int AS pages FROM pg_class
    WHERE relnamespace = current_schema()::regnamespace AND relkind = 'r' AND relname IN (${ownTables})
      AND pg_has_role(relowner, 'USAGE')) tables
  WHERE pages BETWEEN ${smallest} AND ${largest} AND pages >= 2 * relpages`

/**
 * Analyzes tables that grow from nothing, so that PostgreSQL makes new plans for them. A plan is kept as long as the
 * statistics stay the same, and in an empty table all indexes of a tenant look equally good: PostgreSQL then reads all rows
 * of the tenant to find one. Its autovacuum does the same a minute later, which is long for an import.
 */
export class GrownTables {
  readonly #pool: ConnectionPool
  readonly #range: Range
  #transactions = 0
  #lookedAt = Number.NEGATIVE_INFINITY
  #analysis: Promise<unknown> | null = null

  constructor(pool: ConnectionPool, range: Range = { smallest: 16, largest: 8_192 }) {
    this.#pool = pool
    this.#range = range
  }

  /** Called after each transaction that may have written. */
  noteTransaction(): void {
    if (++this.#transactions < everyTransactions || this.#analysis !== null) return
    const now = performance.now()
    if (now - this.#lookedAt < everyMs) return
    this.#transactions = 0
    this.#lookedAt = now
    this.#analysis = this.analyze()
      // Statements are slower without it, and autovacuum follows.
      .catch(() => {})
      .finally(() => {
        this.#analysis = null
      })
  }

  /** Resolves with the names of the tables that were analyzed. One that another process analyzes is left to it. */
  async analyze(): Promise<string[]> {
    return this.#pool.use(async (connection) => {
      const { rows } = await connection.execute(grownTables(this.#range))
      const names = rows.map(({ name }) => name as string)
      for (const name of names) await connection.execute(`ANALYZE (SKIP_LOCKED) ${name}`)
      return names
    })
  }
}
