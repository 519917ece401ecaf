/** A column of one of the two types. */
export interface Column {
  readonly name: string
  readonly kind: 'text' | 'whole'
}

/** A table on both engines: primary key columns first, in key order, then all others by name. */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly keyLength: number
}

/** The values of a row in column order; integers are at most 2^53. */
export type Row = readonly (string | number | null)[]

/** A column as described by an engine; `place` is its position in the primary key, or null. */
export interface ColumnRow {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly place: number | null
}

/** A database as tables and rows, independent of the engine. */
export interface TableDatabase {
  /** All tables except those of the schema's own state. */
  tables(): Promise<readonly Table[]>
  /** Whether a table of this name exists, including those of the schema's own state. */
  hasTable(name: string): Promise<boolean>
  /** Applied migrations with their times in epoch milliseconds, oldest first; empty for an empty database. */
  migrations(): Promise<readonly { readonly id: string; readonly at: number }[]>
  /** All rows ordered by key, texts by their bytes, in batches of about 1 MiB. */
  rows(table: Table): AsyncGenerator<readonly Row[]>
  count(table: Table): Promise<number>
  /** Deletes the rows with these keys atomically. */
  remove(table: Table, rows: readonly Row[]): Promise<void>
  /** Inserts rows atomically. */
  add(table: Table, rows: readonly Row[]): Promise<void>
  /** Runs SQL that both engines support; returns the rows of a SELECT. */
  execute(sql: string): Promise<readonly Record<string, unknown>[]>
  /** Call after changing rows: checks foreign keys on SQLite, and updates planner statistics on PostgreSQL. */
  settle(tables: readonly Table[]): Promise<void>
}

/** Maximum size of a batch in UTF-16 code units and in rows. */
export const batchSize = { characters: 1 << 20, rows: 2000 }

const kinds: Readonly<Record<string, Column['kind']>> = { text: 'text', integer: 'whole', bigint: 'whole' }

/** Tables from an engine's column descriptions. Throws on a type that this program never uses. */
export function tablesOf(rows: readonly ColumnRow[]): Table[] {
  const tables = Map.groupBy(
    rows.filter(({ table }) => !table.startsWith('schema_')),
    ({ table }) => table,
  )
  return [...tables].map(([name, columns]) => {
    const inKey = columns.filter(({ place }) => place !== null).sort((a, b) => a.place! - b.place!)
    const others = columns.filter(({ place }) => place === null).sort((a, b) => (a.column < b.column ? -1 : 1))
    return { name, columns: [...inKey, ...others].map(columnOf), keyLength: inKey.length }
  })
}

function columnOf({ table, column, type }: ColumnRow): Column {
  const kind = kinds[type.toLowerCase()]
  if (kind === undefined) throw new Error(`${table}.${column} is of the type ${type}, which Tenantry never stores.`)
  return { name: column, kind }
}

/** Quoted names, separated by commas. */
export const named = (columns: readonly Column[]): string => columns.map(({ name }) => `"${name}"`).join(', ')

/** The approximate size of a row in code units. */
export const sizeOf = (row: Row): number =>
  row.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

/** Compares two rows of a table by key, like a comparator of `sort`. */
export function compareKeys(a: Row, b: Row, keyLength: number): number {
  for (let index = 0; index < keyLength; index++) {
    const order = compareValues(a[index]!, b[index]!)
    if (order !== 0) return order
  }
  return 0
}

/** Compares texts by UTF-8 bytes; JavaScript compares by UTF-16. */
function compareValues(a: string | number, b: string | number): number {
  if (a === b) return 0
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b)
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

export const sameRow = (a: Row, b: Row): boolean => a.every((value, index) => value === b[index])
