/** A column of either kind there is. */
export interface Column {
  readonly name: string
  readonly kind: 'text' | 'whole'
}

/** A table as both engines have it: the columns of its primary key first, in the key's order, the others by name. */
export interface Table {
  readonly name: string
  readonly columns: readonly Column[]
  readonly keyLength: number
}

/** A row's values in the order of its table's columns; whole numbers reach to 2^53. */
export type Row = readonly (string | number | null)[]

/** What an engine says of a column; `place` is the one it has in the primary key, null outside it. */
export interface ColumnRow {
  readonly table: string
  readonly column: string
  readonly type: string
  readonly place: number | null
}

/** A database as rows of tables, whatever the engine. */
export interface TableDatabase {
  /** Every table but those that say what became of the schema. */
  tables(): Promise<readonly Table[]>
  /** Whether there is a table of this name, one of those that say what became of the schema included. */
  hasTable(name: string): Promise<boolean>
  /** Ids of the migrations it has been through with their times in epoch milliseconds, oldest first; none when it is empty. */
  migrations(): Promise<readonly { readonly id: string; readonly at: number }[]>
  /** All rows in the order of their keys, texts compared byte by byte, in batches of about a mebibyte. */
  rows(table: Table): AsyncGenerator<readonly Row[]>
  count(table: Table): Promise<number>
  /** Removes the rows with these keys, all or none. */
  remove(table: Table, rows: readonly Row[]): Promise<void>
  /** Adds rows, all or none. */
  add(table: Table, rows: readonly Row[]): Promise<void>
  /** Runs SQL that both engines understand; answers with the rows of a SELECT. */
  execute(sql: string): Promise<readonly Record<string, unknown>[]>
  /** To be called when rows have been changed: references are checked, and the planner learns of them. */
  settle(tables: readonly Table[]): Promise<void>
}

/** How much a batch of rows holds at most, as UTF-16 code units and as rows. */
export const batchSize = { characters: 1 << 20, rows: 2000 }

const kinds: Readonly<Record<string, Column['kind']>> = { text: 'text', integer: 'whole', bigint: 'whole' }

/** Tables from what an engine says of their columns. Throws for a type that this program has never stored. */
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

/** Names as SQL has them, separated by commas. */
export const named = (columns: readonly Column[]): string => columns.map(({ name }) => `"${name}"`).join(', ')

/** How many code units a row takes, about. */
export const sizeOf = (row: Row): number =>
  row.reduce((sum: number, value) => sum + (typeof value === 'string' ? value.length : 8), 0)

/** Which of two rows of a table comes first: below zero, zero, above zero. */
export function compareKeys(a: Row, b: Row, keyLength: number): number {
  for (let index = 0; index < keyLength; index++) {
    const order = compareValues(a[index]!, b[index]!)
    if (order !== 0) return order
  }
  return 0
}

/** Texts by their bytes in UTF-8: JavaScript's own order is that of UTF-16. */
function compareValues(a: string | number, b: string | number): number {
  if (a === b) return 0
  if (typeof a === 'number' || typeof b === 'number') return Number(a) - Number(b)
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

export const sameRow = (a: Row, b: Row): boolean => a.every((value, index) => value === b[index])
