import type { DatabaseSettings } from '../settings/database-settings.ts'
import { compareTables, digestOf, isSame, type TableComparison } from './compare-tables.ts'
import { letServersStart, markCopy, requireApart, requireReplaceable } from './copy-mark.ts'
import { inBatches, rowsMissingFrom } from './merge-rows.ts'
import { describePlace, isThere, requireExisting } from './place.ts'
import { untilAborted, type WatchTable, watchRows } from './progress.ts'
import { bringUpToDate, isUpToDate, requireCurrentSchema } from './schema.ts'
import type { Table, TableDatabase } from './tables.ts'
import { requireUnused } from './unused-target.ts'
import { useSource, useTarget } from './use-tables.ts'

/** The source and the target of a copy. */
export interface CopyOptions {
  readonly from: DatabaseSettings
  readonly to: DatabaseSettings
  /** Whether changes of the target since the last copy may be discarded. */
  readonly overwrite: boolean
  /** Receives what the operator should know, one line per call. */
  readonly tell: (line: string) => void
  readonly watch: WatchTable
  /** Called before the first write. Its abort ends the copy after the current batch. */
  readonly untilInterrupted: () => AbortSignal
}

/** The result of a copy. */
interface CopyReport {
  readonly tables: number
  /** Rows of the source. */
  readonly rows: number
  readonly removed: number
  readonly added: number
  /** Tables that differ after the copy; normally empty. */
  readonly differences: readonly TableComparison[]
}

/**
 * Makes the target equal to the source and compares the two. Reads one snapshot of the source and never changes it. A
 * repeated copy transfers only changes, and completes an interrupted one.
 * @throws Error if one side is unusable, or rows of the target would be lost
 */
export async function copyDatabase({
  from,
  to,
  overwrite,
  tell,
  watch,
  untilInterrupted,
}: CopyOptions): Promise<CopyReport> {
  requireTwo(from, to)
  return await useSource(from, async (source) => {
    await requireCurrentSchema(source, 'The source')
    // Before migrating the target, because servers of its version could not start on it any more.
    if (isThere(to)) await useTarget(to, (target) => requireOther(from, target))
    // First, because a running server changes the target, and stopping it comes before --overwrite.
    using _lock = await requireUnused(to)
    if (isThere(to)) await useTarget(to, (target) => requireLossless({ source, target, overwrite, watch }))
    // No lock keeps a server from starting on PostgreSQL while the rows are compared.
    if (to.engine === 'postgres') await requireUnused(to)
    if (!(await isUpToDate(to))) {
      if (isThere(to)) await useTarget(to, letServersStart)
      await bringUpToDate(to)
    }
    return await useTarget(to, async (target) => {
      const tables = await commonTables(source, target, tell)
      const signal = untilInterrupted()
      tell(
        'Writes to the source during the copy are not included. Stop the servers first, or copy again after stopping them.',
      )
      await markCopy(source, target, null)
      try {
        const merged = await mergeTables(source, target, tables, { watch, signal })
        tell('comparing both sides')
        const comparisons = await compareTables(source, target, tables, { watch, signal })
        const differences = comparisons.filter((table) => !isSame(table))
        if (differences.length === 0) {
          await markCopy(source, target, digestOf(comparisons.map((table) => table.target.checksum)))
        }
        return { tables: tables.length, ...merged, differences }
      } catch (error) {
        tell('The target is incomplete, and no server starts on it. Copy again to complete it.')
        throw signal.aborted ? new Error('Interrupted.') : error
      }
    })
  })
}

async function mergeTables(
  source: TableDatabase,
  target: TableDatabase,
  tables: readonly Table[],
  { watch, signal }: { readonly watch: WatchTable; readonly signal: AbortSignal },
): Promise<Pick<CopyReport, 'rows' | 'removed' | 'added'>> {
  let rows = 0
  let removed = 0
  let added = 0
  for (const table of tables) {
    // Deletes before inserts, so that no row conflicts with a unique value of an outdated row.
    removed += await removeStale(source, target, table, signal)
    const passed = await addMissing(source, target, table, { watch, signal })
    rows += passed.rows
    added += passed.added
  }
  await target.settle(tables)
  return { rows, removed, added }
}

/** Compares two databases table by table without changing them. */
export async function checkCopy({
  from,
  to,
  tell,
  watch,
}: Omit<CopyOptions, 'overwrite' | 'untilInterrupted'>): Promise<TableComparison[]> {
  requireTwo(from, to)
  requireExisting(to)
  return await useSource(from, (source) =>
    useSource(to, async (target) => {
      await requireCurrentSchema(source, 'The source')
      await requireCurrentSchema(target, 'The target')
      return await compareTables(source, target, await commonTables(source, target, tell), { watch })
    }),
  )
}

/** The source and target databases. */
interface Ends {
  readonly source: TableDatabase
  readonly target: TableDatabase
  readonly overwrite: boolean
  readonly watch: WatchTable
}

/** Rejects a target that another program uses, or that is the source. */
async function requireOther(from: DatabaseSettings, target: TableDatabase): Promise<void> {
  if (!(await target.hasTable('tenants'))) return
  if (!(await target.hasTable('schema_migrations')))
    throw new Error("The target has a table tenants that is not Tenantry's. Choose an empty database.")
  await requireApart(from, target)
}

/** Rejects a target whose rows would be lost, in any version of the schema. */
async function requireLossless({ source, target, ...options }: Ends): Promise<void> {
  if (!(await target.hasTable('tenants'))) return
  const ours = await source.tables()
  const tables = (await target.tables()).filter(({ name }) => ours.some((table) => table.name === name))
  await requireReplaceable(source, target, tables, options)
}

function requireTwo(from: DatabaseSettings, to: DatabaseSettings): void {
  requireExisting(from)
  if (describePlace(from) === describePlace(to)) throw new Error('Source and target are the same database.')
}

/** The tables of both sides. They share a schema, so a table on one side only is not Tenantry's. */
async function commonTables(
  source: TableDatabase,
  target: TableDatabase,
  tell: CopyOptions['tell'],
): Promise<readonly Table[]> {
  const [ours, theirs] = [await source.tables(), await target.tables()]
  const known = (table: Table) => theirs.some((other) => JSON.stringify(other) === JSON.stringify(table))
  for (const { name } of ours.filter((table) => !known(table))) tell(`left out: ${name} is not a Tenantry table`)
  return ours.filter(known)
}

async function removeStale(
  source: TableDatabase,
  target: TableDatabase,
  table: Table,
  signal: AbortSignal,
): Promise<number> {
  let removed = 0
  const theirs = untilAborted(target.rows(table), signal)
  for await (const batch of inBatches(rowsMissingFrom(source.rows(table), theirs, table))) {
    await target.remove(table, batch)
    removed += batch.length
  }
  return removed
}

async function addMissing(
  source: TableDatabase,
  target: TableDatabase,
  table: Table,
  { watch, signal }: { readonly watch: WatchTable; readonly signal: AbortSignal },
): Promise<{ rows: number; added: number }> {
  let rows = 0
  const count: WatchTable = (name, done, total) => {
    rows = done
    watch(name, done, total)
  }
  const total = await source.count(table)
  const ours = watchRows(untilAborted(source.rows(table), signal), { table: table.name, total, watch: count })
  let added = 0
  for await (const batch of inBatches(rowsMissingFrom(target.rows(table), ours, table))) {
    await target.add(table, batch)
    added += batch.length
  }
  return { rows, added }
}
