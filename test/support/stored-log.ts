import type { EventHead, SealedEvent, StoredBatch } from '../../server/events/sealed-log.ts'
import { startOfLog } from '../../server/events/verify/check-batch.ts'
import { publicKeysOf } from '../../server/events/verify/public-keys.ts'
import type { VerifiedLog } from '../../server/events/verify/verified-log.ts'
import { verifyLog } from '../../server/events/verify/verify-log.ts'
import type { StoredRow, TestDatabase } from './test-database.ts'

/** A row with the names of its fields instead of its columns. */
const fieldsOf = <T>(row: StoredRow): T =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      value,
    ]),
  ) as T

/** The tenants that have a sealed log. */
export const logsIn = (database: TestDatabase): string[] =>
  database.ask('SELECT tenant_id FROM event_heads ORDER BY tenant_id').map((row) => String(row['tenant_id']))

/** Verifies a stored log from its first batch to its head. */
export function verifyStoredLog(database: TestDatabase, tenantId: string): Promise<VerifiedLog> {
  const read = <T>(table: string, order: string) =>
    database
      .ask(`SELECT * FROM ${table} WHERE tenant_id = ? ORDER BY ${order}`, tenantId)
      .map((row) => fieldsOf<T>(row))
  const batches = [read<StoredBatch>('event_batches', 'batch')]
  const events = [read<SealedEvent>('events', 'sequence')]
  const keys = database
    .ask('SELECT public_jwk FROM checkpoint_keys')
    .map((row) => JSON.parse(String(row['public_jwk'])))
  const publicKeys = publicKeysOf({ keys })
  return verifyLog(
    {
      nextBatches: async () => batches.shift() ?? [],
      nextEvents: async () => events.shift() ?? [],
      head: async () => read<EventHead>('event_heads', 'batch')[0] ?? null,
    },
    { tenantId, publicKey: (kid) => publicKeys.get(kid), from: startOfLog },
  )
}
