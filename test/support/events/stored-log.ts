import { startOfLog } from '../../../server/events/verify/check-batch.ts'
import { publicKeysOf } from '../../../server/events/verify/public-keys.ts'
import type { VerifiedLog } from '../../../server/events/verify/verified-log.ts'
import { verifyLog } from '../../../server/events/verify/verify-log.ts'
import type { TestDatabase } from '../databases/test-database.ts'
import { storedLog } from './sealed-log-rows.ts'

/** The tenants that have a sealed log. */
export const logsIn = (database: TestDatabase): string[] =>
  database.ask('SELECT tenant_id FROM event_heads ORDER BY tenant_id').map((row) => String(row['tenant_id']))

/** Verifies a stored log from its first batch to its head. */
export function verifyStoredLog(database: TestDatabase, tenantId: string): Promise<VerifiedLog> {
  const { events, batches, head } = storedLog(database, tenantId)
  const keys = database
    .ask('SELECT public_jwk FROM checkpoint_keys')
    .map((row) => JSON.parse(String(row['public_jwk'])))
  const publicKeys = publicKeysOf({ keys })
  return verifyLog(
    { nextBatches: async () => batches.splice(0), nextEvents: async () => events.splice(0), head: async () => head },
    { tenantId, publicKey: (kid) => publicKeys.get(kid), from: startOfLog },
  )
}
