import assert from 'node:assert/strict'
import type { TestService } from '../service.ts'
import type { StoredRow, StoredValue } from './test-database.ts'

/**
 * Queries the database directly, with `?` for each parameter. Several rows need an ORDER BY: without one, PostgreSQL returns
 * them in another order once a row has been updated.
 */
export function storedRows({ database }: TestService, sql: string, ...parameters: StoredValue[]): StoredRow[] {
  const rows = database.ask(sql, ...parameters)
  assert.ok(rows.length < 2 || /\bORDER BY\b/.test(sql), `add ORDER BY: "${sql}" returned ${rows.length} rows`)
  return rows
}

/** The only row of the result. */
export function storedRow(service: TestService, sql: string, ...parameters: StoredValue[]): StoredRow {
  const [row, ...more] = storedRows(service, sql, ...parameters)
  assert.ok(row !== undefined && more.length === 0, `${sql}: not one row but ${more.length + (row ? 1 : 0)}`)
  return row
}

/**
 * Writes to the database directly, for rows that no operation would store. Resolves once the service reads them: on SQLite
 * its reads keep their state from before a commit until that is synced, which its next transaction waits for.
 */
export async function writeStored(service: TestService, sql: string, ...parameters: StoredValue[]): Promise<void> {
  service.database.ask(sql, ...parameters)
  await service.service.services.storage.system.write(async () => {})
}

/** The OTP's row. */
export const storedOtp = (service: TestService, id: string): StoredRow =>
  storedRow(service, 'SELECT * FROM otps WHERE id = ?', id)

/** The OTP's messages, oldest first. */
export const storedMessages = (service: TestService, otpId: string): StoredRow[] =>
  storedRows(service, 'SELECT * FROM outbox WHERE otp_id = ? ORDER BY created_at, id', otpId)

/** All stored bytes: the file and its write-ahead log, or on PostgreSQL every value. */
export const storedBytes = ({ database }: TestService): Buffer => Buffer.concat(Object.values(database.bytes()))

/** All rows except those of rate limits: rejected requests count, and SQLite's processes count in memory. */
export function storedEverything({ database }: TestService): Record<string, StoredRow[]> {
  const { limit_logs: _counts, ...tables } = database.everything()
  return tables
}

/** Refused attempts are recorded, and events are sealed at any time: all other events by their ids. */
export function withoutRefusedAttempts(everything: Record<string, StoredRow[]>): Record<string, StoredRow[]> {
  const { event_queue = [], events = [], event_heads: _heads, event_batches: _batches, ...tables } = everything
  const acts = [...event_queue, ...events].filter(({ type }) => !String(type).endsWith('.refused'))
  return { ...tables, acts: acts.map(({ tenant_id = null, id = null }) => ({ tenant_id, id })) }
}

/** Asserts that `act` leaves every row unchanged, except for records of refused attempts. Delivers what was due first. */
export async function changesNothing<T>(service: TestService, act: () => Promise<T>): Promise<T> {
  await service.service.services.delivery.drain()
  const stored = () => withoutBackground(withoutRefusedAttempts(storedEverything(service)))
  const before = stored()
  const result = await act()
  await service.service.services.delivery.drain()
  assert.deepEqual(stored(), before)
  return result
}

/** The last use of a key and what is counted are written in the background, once a minute. */
const withoutBackground = ({
  tenant_keys = [],
  tenant_counts: _counts,
  tenant_totals: _totals,
  ...tables
}: Record<string, StoredRow[]>) => ({
  ...tables,
  tenant_keys: tenant_keys.map((row) => ({ ...row, last_used_at: null })),
})
