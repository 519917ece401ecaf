import type { SampleLog } from '../../../server/events/verify/sample-log.testkit.ts'
import { useSource } from '../../../server/maintenance/use-tables.ts'
import type { DatabaseSettings } from '../../../server/settings/database-settings.ts'
import type { Columns, Row } from '../../../server/storage/columns.ts'
import { eventHeads, sealedEvents, storedBatches } from '../../../server/storage/stores/sealed-log-columns.ts'
import type { StoredRow, TestDatabase } from '../databases/test-database.ts'

const tables = { events: sealedEvents, event_batches: storedBatches, event_heads: eventHeads }

/** Rows of an INSERT: engines limit its parameters. */
const batch = 500

function add<T>(
  database: TestDatabase,
  table: keyof typeof tables,
  columns: Columns<T>,
  tenantId: string,
  rows: readonly T[],
) {
  const marks = `(?, ${columns.map(() => '?')})`
  for (let first = 0; first < rows.length; first += batch) {
    const some = rows.slice(first, first + batch)
    database.ask(
      `INSERT INTO ${table} (tenant_id, ${columns.names}) VALUES ${some.map(() => marks)}`,
      ...some.flatMap((row) => [tenantId, ...columns.values(row)]),
    )
  }
}

/** Stores a sealed log. */
export function storeLog(database: TestDatabase, { tenantId, events, batches, head }: SampleLog): void {
  add(database, 'events', sealedEvents, tenantId, events)
  add(database, 'event_batches', storedBatches, tenantId, batches)
  add(database, 'event_heads', eventHeads, tenantId, head === null ? [] : [head])
}

function read<T>(database: TestDatabase, table: keyof typeof tables, columns: Columns<T>, tenantId: string): T[] {
  const order = table === 'events' ? 'sequence' : 'batch'
  const rows = database.ask(`SELECT ${columns.names} FROM ${table} WHERE tenant_id = ? ORDER BY ${order}`, tenantId)
  return rows.map((row) => readRow(columns, row))
}

const readRow = <T>(columns: Columns<T>, row: StoredRow): T =>
  columns.read(columns.names.split(', ').map((name) => row[name] ?? null) as Row<T>)

/** A stored log. */
export const storedLog = (database: TestDatabase, tenantId: string): SampleLog => ({
  tenantId,
  events: read(database, 'events', sealedEvents, tenantId),
  batches: read(database, 'event_batches', storedBatches, tenantId),
  head: read(database, 'event_heads', eventHeads, tenantId)[0] ?? null,
})

/** A log and the public checkpoint keys in any database that servers may use. */
export const logIn = (
  place: DatabaseSettings,
  tenantId: string,
): Promise<{ log: SampleLog; publicJwks: (Record<string, string> & { kid: string })[] }> =>
  useSource(place, async (database) => {
    const known = await database.tables()
    async function rowsOf(name: string): Promise<StoredRow[]> {
      const table = known.find((one) => one.name === name)!
      const rows: StoredRow[] = []
      for await (const batch of database.rows(table))
        for (const row of batch)
          rows.push(Object.fromEntries(table.columns.map((column, index) => [column.name, row[index]!])))
      return rows
    }
    async function read<T>(table: keyof typeof tables, columns: Columns<T>): Promise<T[]> {
      const rows = (await rowsOf(table)).filter((row) => row['tenant_id'] === tenantId)
      return rows.map((row) => readRow(columns, row))
    }
    const keys = await rowsOf('checkpoint_keys')
    return {
      log: {
        tenantId,
        events: await read('events', sealedEvents),
        batches: await read('event_batches', storedBatches),
        head: (await read('event_heads', eventHeads))[0] ?? null,
      },
      publicJwks: keys.map((row) => JSON.parse(String(row['public_jwk']))),
    }
  })
