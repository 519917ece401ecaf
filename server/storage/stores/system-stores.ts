import { deployment } from '../../core/deployment.ts'
import type { Executor } from '../database.ts'
import { fastDigests } from '../schema-steps.ts'
import { systemStatement } from '../statement.ts'
import type { PurgedRows, SystemStores } from '../storage.ts'
import { SqlCheckpointKeyStore } from './checkpoint-keys.ts'
import { SqlCountDirectory } from './count-directory.ts'
import { purgeOldRows } from './erase.ts'
import { SqlErasedUserDirectory } from './event-erasures.ts'
import { SqlEventHeadDirectory } from './event-heads.ts'
import { SqlEventLogStore } from './event-log.ts'
import { SqlEventPurgeStore } from './event-purge.ts'
import { SqlEventQueueStore } from './event-queue.ts'
import { type MoveEvents, SqlEventSealing } from './event-sealing.ts'
import { SqlIdempotencyStore } from './idempotency.ts'
import { SqlInbox } from './inbox.ts'
import { SqlLimitLogStore } from './limit-logs.ts'
import { SqlOperatorSessionStore } from './operator-sessions.ts'
import { SqlOperatorStore } from './operators.ts'
import { type Claim, SqlOutbox } from './outbox.ts'
import { SqlSigningKeyStore } from './signing-keys.ts'
import { SqlTenantDirectory } from './tenant-directory.ts'

const nextFastDigests = systemStatement<{ tenant_id: string }>(
  'users.nextFastDigests',
  `SELECT tenant_id FROM users WHERE tenant_id > $1 AND ${fastDigests} ORDER BY tenant_id LIMIT 1`,
)

/** An engine's own ways. */
interface SystemStoresOptions {
  readonly claim?: Claim
  readonly moveEvents: MoveEvents
}

/** The stores that reach across tenants, in any SQL database. */
export function systemStores(executor: Executor, options: SystemStoresOptions): SystemStores {
  const inbox = new SqlInbox(executor)
  return {
    tenants: new SqlTenantDirectory(executor),
    outbox: new SqlOutbox(executor, (entries) => inbox.tell(entries), options.claim),
    inbox,
    signingKeys: new SqlSigningKeyStore(executor),
    operatorSessions: new SqlOperatorSessionStore(executor),
    limitLogs: new SqlLimitLogStore(executor),
    idempotency: new SqlIdempotencyStore(executor, deployment),
    events: new SqlEventQueueStore(executor, deployment),
    erasedUsers: new SqlErasedUserDirectory(executor),
    operators: new SqlOperatorStore(executor),
    eventLog: new SqlEventLogStore(executor, deployment),
    eventSealing: new SqlEventSealing(executor, options.moveEvents),
    checkpointKeys: new SqlCheckpointKeyStore(executor),
    eventHeads: new SqlEventHeadDirectory(executor),
    counts: new SqlCountDirectory(executor),
    write: (work) => executor.write((tx) => work(systemStores(tx, options))),
    eventPurge: (tenantId) => new SqlEventPurgeStore(executor, tenantId),
    nextFastDigests: (afterTenantId: string) =>
      executor.read(async (sql) => (await sql.row(nextFastDigests, afterTenantId))?.tenant_id ?? null),
    purge: (kind: PurgedRows, before: number, batch: number) =>
      executor.write((sql) => purgeOldRows(sql, kind, before, batch)),
  }
}
