import { deployment } from '../../core/deployment.ts'
import type {
  CountDirectory,
  DueTotals,
  HalfHour,
  TenantHalfHour,
  Totals,
  TotalsChange,
} from '../../statistics/tenant-counts.ts'
import type { Executor, Sql } from '../database.ts'
import { statement, systemStatement } from '../statement.ts'
import { OutcomeUnknown } from '../storage-error.ts'
import { acts, halfHours, recounts, SqlTenantCountStore, totals } from './tenant-counts.ts'

const sums = acts.map((name) => `${name} = tenant_counts.${name} + excluded.${name}`)
const given = halfHours.map((_, index) => `CAST($${index + 2} AS BIGINT)`)
const insert = `INSERT INTO tenant_counts (tenant_id, ${halfHours.names})`
const orAdd = `ON CONFLICT (tenant_id, at) DO UPDATE SET ${sums}`

/** A tenant that is being erased gets no new rows. */
const addActs = statement(
  'count.addActs',
  `${insert} SELECT $1, ${given} FROM tenants WHERE id = $1 AND deleted_at IS NULL ${orAdd}`,
)
const addOwnActs = systemStatement('count.addOwnActs', `${insert} VALUES ($1, ${given}) ${orAdd}`)

/** Totals are counted again at least this often. */
export const dayMs = 86_400_000
/** Every process has written its changes by then. */
const restMs = 180_000
/**
 * When the rows are counted again, at the time $6: once the totals rest for a while, which is longer for many users, and at
 * least once a day.
 */
const recountAt = `CASE
    WHEN recount_at <= $6 THEN recount_at
    WHEN counted_at + ${dayMs} < $6 + ${restMs} + users THEN counted_at + ${dayMs}
    ELSE $6 + ${restMs} + users END`
const newTotals = `INSERT INTO tenant_totals (tenant_id, ${totals.names}, ${recounts.names})`
/** Of a new tenant, which has nothing to count. */
export const startTotals = statement('count.startTotals', `${newTotals} VALUES ($1, 0, 0, 0, 0, $2, $3)`)
const addTotals = statement(
  'count.addTotals',
  `UPDATE tenant_totals SET users = users + $2, guests = guests + $3, suspended = suspended + $4,
     open_sessions = open_sessions + $5, recount_at = ${recountAt}
   WHERE tenant_id = $1`,
)
const addMissing = systemStatement(
  'count.addMissingTotals',
  `${newTotals} SELECT id, 0, 0, 0, 0, 0, 0 FROM tenants WHERE deleted_at IS NULL
   ON CONFLICT (tenant_id) DO NOTHING`,
)
const due = systemStatement<{ tenant_id: string; recount_at: number }>(
  'count.due',
  'SELECT tenant_id, recount_at FROM tenant_totals WHERE recount_at <= $1 ORDER BY recount_at, tenant_id LIMIT $2',
)
const claim = statement(
  'count.claim',
  'UPDATE tenant_totals SET recount_at = $3 WHERE tenant_id = $1 AND recount_at = $2',
)
/** Those of a tenant that changes all the time would never be replaced if they had to stay as they are while they are counted. */
const replace = statement(
  'count.replaceTotals',
  `UPDATE tenant_totals SET users = $3, guests = $4, suspended = $5, open_sessions = $6, counted_at = $7, recount_at = $8
   WHERE tenant_id = $1 AND (recount_at = $2 OR counted_at + ${dayMs} <= $7)`,
)
const sum = systemStatement(
  'count.sum',
  `SELECT ${totals.map((name) => `CAST(COALESCE(SUM(tenant_totals.${name}), 0) AS BIGINT)`)}
   FROM tenant_totals JOIN tenants ON tenants.id = tenant_totals.tenant_id
   WHERE counted_at > 0 AND deleted_at IS NULL`,
  totals,
)

/** The counts of all tenants in any SQL database. */
export class SqlCountDirectory implements CountDirectory {
  readonly #executor: Executor
  readonly #own: SqlTenantCountStore

  constructor(executor: Executor) {
    this.#executor = executor
    this.#own = new SqlTenantCountStore(executor, deployment)
  }

  addActs(halfHoursOfTenants: readonly TenantHalfHour[]): Promise<void> {
    // All processes use the same order, which avoids deadlocks.
    const inOrder = halfHoursOfTenants.toSorted((a, b) => a.at - b.at || (a.tenantId < b.tenantId ? -1 : 1))
    return this.#addOnce(async (sql) => {
      await Promise.all(inOrder.map((one) => sql.run(addActs, one.tenantId, ...halfHours.values(one))))
    })
  }

  addOwnActs(own: readonly HalfHour[]): Promise<void> {
    const inOrder = own.toSorted((a, b) => a.at - b.at)
    return this.#addOnce(async (sql) => {
      await Promise.all(inOrder.map((one) => sql.run(addOwnActs, deployment, ...halfHours.values(one))))
    })
  }

  addTotals(changes: readonly TotalsChange[], now: number): Promise<void> {
    const inOrder = changes.toSorted((a, b) => (a.tenantId < b.tenantId ? -1 : 1))
    return this.#addOnce(async (sql) => {
      await Promise.all(inOrder.map((one) => sql.run(addTotals, one.tenantId, ...totals.values(one), now)))
    })
  }

  /** Resolves also when the result of the COMMIT is unknown: adding again could count twice. */
  async #addOnce(work: (sql: Sql) => Promise<void>): Promise<void> {
    try {
      await this.#executor.write(work)
    } catch (error) {
      if (!(error instanceof OutcomeUnknown)) throw error
    }
  }

  halfHoursSince(at: number): Promise<HalfHour[]> {
    return this.#own.halfHoursSince(at)
  }

  totals(): Promise<Totals> {
    return this.#executor.read(async (sql) => totals.read((await sql.row(sum))!))
  }

  async addMissingTotals(): Promise<void> {
    await this.#executor.effect(addMissing)
  }

  claimDue(now: number, leaseUntil: number, limit: number): Promise<DueTotals[]> {
    return this.#executor.write(async (sql) => {
      const found = await sql.rows(due, now, limit)
      const inOrder = found.toSorted((a, b) => (a.tenant_id < b.tenant_id ? -1 : 1))
      const claimed = await Promise.all(
        inOrder.map(({ tenant_id, recount_at }) => sql.run(claim, tenant_id, recount_at, leaseUntil)),
      )
      return inOrder
        .filter((_, index) => claimed[index] === 1)
        .map(({ tenant_id: tenantId }) => ({ tenantId, recountAt: leaseUntil }))
    })
  }

  async replaceTotals(
    { tenantId, recountAt }: DueTotals,
    counted: Totals,
    now: number,
    next: number,
  ): Promise<boolean> {
    const values = [...totals.values(counted), now, next]
    const { changes } = await this.#executor.effect(replace, tenantId, recountAt, ...values)
    return changes === 1
  }
}
