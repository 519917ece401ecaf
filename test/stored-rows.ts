import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import type { TestService } from './service.ts'

/** A row as it is in the file. */
export type StoredRow = Record<string, string | number | null>

/** Asks the database file itself, past the service. */
export function storedRows({ databasePath }: TestService, sql: string, ...parameters: SQLInputValue[]): StoredRow[] {
  using database = new DatabaseSync(databasePath, { readOnly: true, timeout: 5000 })
  return (database.prepare(sql).all(...parameters) as StoredRow[]).map((row) => ({ ...row }))
}

/** The one row that answers. */
export function storedRow(service: TestService, sql: string, ...parameters: SQLInputValue[]): StoredRow {
  const [row, ...more] = storedRows(service, sql, ...parameters)
  assert.ok(row !== undefined && more.length === 0, `${sql}: not one row but ${more.length + (row ? 1 : 0)}`)
  return row
}

/** Writes into the database file itself: what no operation would ever store. */
export function writeStored({ databasePath }: TestService, sql: string, ...parameters: SQLInputValue[]): void {
  using database = new DatabaseSync(databasePath, { timeout: 5000 })
  database.prepare(sql).run(...parameters)
}

/** The OTP's row. */
export const storedOtp = (service: TestService, id: string): StoredRow =>
  storedRow(service, 'SELECT * FROM otps WHERE id = ?', id)

/** The OTP's messages, oldest first. */
export const storedMessages = (service: TestService, otpId: string): StoredRow[] =>
  storedRows(service, 'SELECT * FROM outbox WHERE otp_id = ? ORDER BY created_at, id', otpId)

/** The file and its write-ahead log, byte by byte. */
export const storedBytes = ({ databasePath }: TestService): Buffer =>
  Buffer.concat([readFileSync(databasePath), readFileSync(`${databasePath}-wal`)])

/** Every row of every table. */
export function storedEverything({ databasePath }: TestService): Record<string, StoredRow[]> {
  using database = new DatabaseSync(databasePath, { readOnly: true, timeout: 5000 })
  const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all()
  return Object.fromEntries(
    tables.map(({ name }) => [name, database.prepare(`SELECT * FROM "${name}" ORDER BY 1, 2`).all() as StoredRow[]]),
  )
}

/** Asserts that `act` leaves every row of the database as it was. What was due before is delivered before. */
export async function changesNothing<T>(service: TestService, act: () => Promise<T>): Promise<T> {
  await service.service.services.delivery.drain()
  const before = storedEverything(service)
  const result = await act()
  await service.service.services.delivery.drain()
  assert.deepEqual(storedEverything(service), before)
  return result
}
