import { createHash } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/** Changes on its own: noted in the background, at most once a minute. */
const ignored: Readonly<Record<string, readonly string[]>> = { tenant_keys: ['last_used_at'] }

/** Hash of every row of every table, by table: what "nothing has changed" is held against (threats, "Same"). */
export function dumpDatabase(path: string): Record<string, string> {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    database.exec('BEGIN')
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
    return Object.fromEntries(tables.map(({ name }) => [name, hashRows(database, String(name))]))
  } finally {
    database.close()
  }
}

function hashRows(database: DatabaseSync, table: string): string {
  const hash = createHash('sha256')
  const rows = database.prepare(`SELECT * FROM "${table}"`).all()
  const texts = rows.map((row) => JSON.stringify(row, (key, value) => (ignored[table]?.includes(key) ? null : value)))
  for (const text of texts.sort()) hash.update(`${text}\n`)
  return `${rows.length} rows ${hash.digest('hex')}`
}
