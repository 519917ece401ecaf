import assert from 'node:assert/strict'
import type { DatabaseSync } from 'node:sqlite'
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
type Table = keyof typeof tables
const names = Object.keys(tables) as Table[]
const columnsOf = (table: Table): string[] => [...tables[table], ...moreColumns[table]]

/** Values that the service never stores: SQL, so that an integer keeps all its digits. */
const oddNumbers = ['-1', '0', '9007199254740993', '-9223372036854775808']
const oddValues = [
  ...['9007199254740993', '-9007199254740993', '9223372036854775807', '-9223372036854775808', '8640000000000001'],
  ...['0', '-1', '1.5', '9e999', "''", "'x'", "x'00'", 'NULL'],
]

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)

/** The database as a person with a shell uses it. */
export interface Shell {
  /** Runs a statement. Rejects with what the database refuses. */
  rows(sql: string): Promise<Record<string, unknown>[]>
}

/** What a person with a shell does to the rows of a database. Rejects with what the database refuses. */
type StoredTampering = (database: Shell, random: Random) => Promise<unknown>

interface Place {
  readonly table: Table
  readonly column: string
  /** SQL that selects the row. */
  readonly row: string
}

const numberOf = { events: 'sequence', event_batches: 'batch', event_heads: 'batch' } as const

async function somewhere(database: Shell, random: Random, table = random.pick(names)): Promise<Place> {
  const number = numberOf[table]
  const rows = await database.rows(`SELECT tenant_id AS tenant, ${number} AS number FROM ${table} ORDER BY 1, 2`)
  const { tenant, number: value } = random.pick(rows)
  return { table, column: random.pick(columnsOf(table)), row: `tenant_id = '${tenant}' AND ${number} = ${value}` }
}

/** A bit of a stored text or integer. */
async function flipBit(database: Shell, random: Random): Promise<void> {
  const { table, column, row } = await somewhere(database, random)
  const [{ value } = assert.fail()] = await database.rows(`SELECT ${column} AS value FROM ${table} WHERE ${row}`)
  if (typeof value === 'number') {
    const bit = `(CAST(1 AS BIGINT) << ${random.below(62)})`
    await database.rows(`UPDATE ${table} SET ${column} = (${column} | ${bit}) - (${column} & ${bit}) WHERE ${row}`)
  } else if (typeof value === 'string' && value !== '') {
    const at = random.below(value.length)
    const flipped = String.fromCharCode(value.charCodeAt(at) ^ (1 << random.below(7)))
    const changed = `${value.slice(0, at)}${flipped}${value.slice(at + 1)}`
    await database.rows(`UPDATE ${table} SET ${column} = ${literal(changed)} WHERE ${row}`)
  }
}

/** @param changes by column: SQL of the new value */
function copyRow(database: Shell, { table, row }: Place, changes: Readonly<Record<string, string>>) {
  const all = ['tenant_id', ...columnsOf(table)]
  const values = all.map((column) => changes[column] ?? column)
  return database.rows(`INSERT INTO ${table} (${all}) SELECT ${values} FROM ${table} WHERE ${row}`)
}

/** Exchanges the places of two rows of one tenant, or of a column of both. */
async function swap(database: Shell, random: Random, tenants: readonly [string, string]): Promise<void> {
  const table = random.pick(['events', 'event_batches'] as const)
  const number = numberOf[table]
  const rowsOf = (tenant: string) =>
    database.rows(`SELECT * FROM ${table} WHERE tenant_id = '${tenant}' ORDER BY ${number}`)
  const [one, other] = [random.pick(await rowsOf(tenants[0])), random.pick(await rowsOf(tenants[1]))]
  if (one === undefined || other === undefined) return
  const place: readonly string[] = table === 'events' ? ['sequence', 'batch', 'id'] : ['batch']
  const content = columnsOf(table).filter((column) => !place.includes(column))
  const columns = random.below(2) === 0 ? content : [random.pick(content)]
  const write = (to: typeof one, from: typeof one) => {
    const set = columns.map((column) => `${column} = ${literal(from[column])}`)
    const row = `tenant_id = '${to['tenant_id']}' AND ${number} = ${to[number]}`
    return database.rows(`UPDATE ${table} SET ${set} WHERE ${row}`)
  }
  await write(one, other)
  await write(other, one)
}

/** Random changes of the logs of the tenants `acme` and `other`. */
export const storedTamperings: Readonly<Record<string, StoredTampering>> = {
  'a flipped bit': flipBit,
  'an odd value': async (database, random) => {
    const { table, column, row } = await somewhere(database, random)
    await database.rows(`UPDATE ${table} SET ${column} = ${random.pick(oddValues)} WHERE ${row}`)
  },
  'a value as bytes': async (database, random) => {
    const { table, column, row } = await somewhere(database, random)
    await database.rows(`UPDATE ${table} SET ${column} = CAST(${column} AS BLOB) WHERE ${row}`)
  },
  'a deleted row': async (database, random) => {
    const { table, row } = await somewhere(database, random)
    await database.rows(`DELETE FROM ${table} WHERE ${row}`)
  },
  'a copied event': async (database, random) => {
    const place = await somewhere(database, random, 'events')
    const sequence = random.pick([`${random.below(60)}`, ...oddNumbers])
    await copyRow(database, place, { sequence, id: `'copy-${random.below(1_000_000)}'` })
  },
  'a copied batch': async (database, random) => {
    const batch = random.pick([`${random.below(9)}`, ...oddNumbers])
    await copyRow(database, await somewhere(database, random, 'event_batches'), { batch })
  },
  'rows of one tenant swapped': async (database, random) => {
    const tenant = random.pick(['acme', 'other'])
    await swap(database, random, [tenant, tenant])
  },
  'rows of two tenants swapped': (database, random) => swap(database, random, ['acme', 'other']),
  'a row moved to another tenant': async (database, random) => {
    const { table, row } = await somewhere(database, random)
    const other = "CASE tenant_id WHEN 'acme' THEN 'other' ELSE 'acme' END"
    await database.rows(`UPDATE ${table} SET tenant_id = ${other} WHERE ${row}`)
  },
  'the logs of two tenants exchanged': async (database, random) => {
    const table = random.pick([...names, null])
    for (const one of table === null ? names : [table]) {
      for (const [from, to] of [
        ['acme', 'between'],
        ['other', 'acme'],
        ['between', 'other'],
      ] as const)
        await database.rows(`UPDATE ${one} SET tenant_id = '${to}' WHERE tenant_id = '${from}'`)
    }
  },
}

/** Removes what the schema of SQLite enforces: types, NOT NULL and unique numbers. */
export function makeLax(database: DatabaseSync): void {
  for (const table of names) {
    const columns = ['tenant_id', ...columnsOf(table)]
    database.exec(`ALTER TABLE ${table} RENAME TO strict_${table}; CREATE TABLE ${table} (${columns});
      INSERT INTO ${table} SELECT ${columns} FROM strict_${table};
      CREATE INDEX lax_${table} ON ${table} (tenant_id, ${numberOf[table]})`)
  }
}

/**
 * Everything that is stored in the logs, to tell a tampering from one that changed nothing.
 * @param written SQL that writes each value of a column differently
 */
export async function logRows(database: Shell, written: (column: string) => string): Promise<string> {
  const rows: string[] = []
  for (const table of names)
    for (const row of await database.rows(`SELECT tenant_id, ${columnsOf(table).map(written)} FROM ${table}`))
      rows.push(Object.values(row).join(' '))
  return rows.sort().join('\n')
}
