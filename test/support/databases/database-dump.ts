import { createHash } from 'node:crypto'
import type { TestService } from '../service.ts'
import { storedEverything, withoutRefusedAttempts } from './stored-rows.ts'
import type { StoredRow } from './test-database.ts'

/** Columns that change in the background, at most once a minute. */
const ignored: Readonly<Record<string, readonly string[]>> = { tenant_keys: ['last_used_at'] }

/** A hash of each row by table, to assert that nothing has changed but for records of refused attempts. */
export const dumpDatabase = (service: TestService): Record<string, string> =>
  Object.fromEntries(
    Object.entries(withoutRefusedAttempts(storedEverything(service))).map(([table, rows]) => [
      table,
      hashRows(table, rows),
    ]),
  )

function hashRows(table: string, rows: readonly StoredRow[]): string {
  const hash = createHash('sha256')
  const texts = rows.map((row) => JSON.stringify(row, (key, value) => (ignored[table]?.includes(key) ? null : value)))
  for (const text of texts.sort()) hash.update(`${text}\n`)
  return `${rows.length} rows ${hash.digest('hex')}`
}
