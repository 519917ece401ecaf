import type { DatabaseSync, SQLInputValue } from 'node:sqlite'
import type { Random } from '../../../test/campaign/seeded-random.ts'

const tables = {
  events: ['sequence', 'personal', 'public', 'commitment', 'id', 'batch', 'at', 'type', 'actor_kind', 'actor_id'],
  event_batches: ['batch', 'first_sequence', 'count', 'sealed_at', 'root', 'previous', 'hash', 'kid', 'signature'],
  event_heads: ['batch', 'sequence', 'hash'],
} as const
const moreColumns = {
  events: ['subject_kind', 'subject_id', 'outcome', 'request_id'],
  event_batches: ['row_hashes', 'kept', 'purged_at', 'purge_kid', 'purge_signature'],
  event_heads: [],
} as const
export type Table = keyof typeof tables
const names = Object.keys(tables) as Table[]
const columnsOf = (table: Table): string[] => [...tables[table], ...moreColumns[table]]

/** Values that the service never stores: SQL, so that an integer keeps all its digits. */
const oddValues = [
  ...['9007199254740993', '-9007199254740993', '9223372036854775807', '-9223372036854775808', '8640000000000001'],
  ...['0', '-1', '1.5', '9e999', "''", "'x'", "x'00'", 'NULL'],
]

/** What a person with a shell does to the rows of a database file. Throws what the database refuses. */
type StoredTampering = (database: DatabaseSync, random: Random) => void

interface Place {
  readonly table: Table
  readonly column: string
  readonly rowid: SQLInputValue
}

function somewhere(database: DatabaseSync, random: Random, table = random.pick(names)): Place {
  const rows = database.prepare(`SELECT rowid AS id FROM ${table} ORDER BY rowid`).all()
  return { table, column: random.pick(columnsOf(table)), rowid: random.pick(rows)['id']! }
}

/** A bit of a stored text or integer. */
function flipBit(database: DatabaseSync, random: Random): void {
  const { table, column, rowid } = somewhere(database, random)
  const find = database.prepare(`SELECT ${column} AS value FROM ${table} WHERE rowid = ?`)
  const value = find.get(rowid)!['value']!
  if (typeof value === 'number') {
    const bit = random.below(62)
    const set = `(${column} | (1 << ${bit})) - (${column} & (1 << ${bit}))`
    database.prepare(`UPDATE ${table} SET ${column} = ${set} WHERE rowid = ?`).run(rowid)
  } else if (typeof value === 'string' && value !== '') {
    const at = random.below(value.length)
    const flipped = String.fromCharCode(value.charCodeAt(at) ^ (1 << random.below(7)))
    const changed = `${value.slice(0, at)}${flipped}${value.slice(at + 1)}`
    database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(changed, rowid)
  }
}

function copyRow(
  database: DatabaseSync,
  { table, rowid }: Place,
  changes: Readonly<Record<string, SQLInputValue>>,
): void {
  const all = ['tenant_id', ...columnsOf(table)]
  const values = all.map((column) => (column in changes ? '?' : column))
  database
    .prepare(`INSERT INTO ${table} (${all}) SELECT ${values} FROM ${table} WHERE rowid = ?`)
    .run(...all.filter((column) => column in changes).map((column) => changes[column]!), rowid)
}

/** Exchanges the places of two rows of one tenant, or of a column of both. */
function swap(database: DatabaseSync, random: Random, tenants: readonly [string, string]): void {
  const table = random.pick(['events', 'event_batches'] as const)
  const rowsOf = (tenant: string) =>
    database.prepare(`SELECT rowid AS id, * FROM ${table} WHERE tenant_id = ? ORDER BY rowid`).all(tenant)
  const [one, other] = [random.pick(rowsOf(tenants[0])), random.pick(rowsOf(tenants[1]))]
  if (one === undefined || other === undefined) return
  const place = table === 'events' ? ['sequence', 'batch', 'id'] : ['batch']
  const content = columnsOf(table).filter((column) => !place.includes(column))
  const columns = random.below(2) === 0 ? content : [random.pick(content)]
  const set = columns.map((column) => `${column} = ?`)
  const update = database.prepare(`UPDATE ${table} SET ${set} WHERE rowid = ?`)
  update.run(...columns.map((column) => other[column]!), one['id']!)
  update.run(...columns.map((column) => one[column]!), other['id']!)
}

/** Random changes of the logs of the tenants `acme` and `other`. */
export const storedTamperings: Readonly<Record<string, StoredTampering>> = {
  'a flipped bit': flipBit,
  'an odd value': (database, random) => {
    const { table, column, rowid } = somewhere(database, random)
    database.prepare(`UPDATE ${table} SET ${column} = ${random.pick(oddValues)} WHERE rowid = ?`).run(rowid)
  },
  'a value as bytes': (database, random) => {
    const { table, column, rowid } = somewhere(database, random)
    database.prepare(`UPDATE ${table} SET ${column} = CAST(${column} AS BLOB) WHERE rowid = ?`).run(rowid)
  },
  'a deleted row': (database, random) => {
    const { table, rowid } = somewhere(database, random)
    database.prepare(`DELETE FROM ${table} WHERE rowid = ?`).run(rowid)
  },
  'a copied event': (database, random) => {
    const place = somewhere(database, random, 'events')
    const sequence = random.pick([random.below(60), -1, 0, 9007199254740993n, -9223372036854775808n])
    copyRow(database, place, { sequence, id: `copy-${random.below(1_000_000)}` })
  },
  'a copied batch': (database, random) => {
    const batch = random.pick([random.below(9), -1, 0, 9007199254740993n, -9223372036854775808n])
    copyRow(database, somewhere(database, random, 'event_batches'), { batch })
  },
  'rows of one tenant swapped': (database, random) => {
    const tenant = random.pick(['acme', 'other'])
    swap(database, random, [tenant, tenant])
  },
  'rows of two tenants swapped': (database, random) => swap(database, random, ['acme', 'other']),
  'a row moved to another tenant': (database, random) => {
    const { table, rowid } = somewhere(database, random)
    const sql = `UPDATE ${table} SET tenant_id = CASE tenant_id WHEN 'acme' THEN 'other' ELSE 'acme' END WHERE rowid = ?`
    database.prepare(sql).run(rowid)
  },
  'the logs of two tenants exchanged': (database, random) => {
    const table = random.pick([...names, null])
    for (const one of table === null ? names : [table]) {
      for (const [from, to] of [
        ['acme', 'between'],
        ['other', 'acme'],
        ['between', 'other'],
      ] as const)
        database.prepare(`UPDATE ${one} SET tenant_id = ? WHERE tenant_id = ?`).run(to, from)
    }
  },
}

/** Everything that is stored in the logs, to tell a tampering from one that changed nothing. */
export const logRows = (database: DatabaseSync): string =>
  names
    .flatMap((table) => {
      // 18.0 is the number 18.
      const columns = columnsOf(table).map(
        (column) => `quote(CASE WHEN typeof(${column}) = 'real' AND ${column} = CAST(${column} AS INTEGER)
          THEN CAST(${column} AS INTEGER) ELSE ${column} END)`,
      )
      return database.prepare(`SELECT tenant_id, ${columns} FROM ${table} ORDER BY 1, 2, 3`).all()
    })
    .map((row) => Object.values(row).join(' '))
    .sort()
    .join('\n')

/** Removes what the schema enforces: types, NOT NULL and unique numbers. */
export function makeLax(database: DatabaseSync): void {
  for (const table of names) {
    const columns = ['tenant_id', ...columnsOf(table)]
    database.exec(`ALTER TABLE ${table} RENAME TO strict_${table}; CREATE TABLE ${table} (${columns});
      INSERT INTO ${table} SELECT ${columns} FROM strict_${table};
      CREATE INDEX lax_${table} ON ${table} (tenant_id, ${table === 'events' ? 'sequence' : 'batch'})`)
  }
}
