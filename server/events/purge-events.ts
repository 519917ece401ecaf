import type { FastifyBaseLogger } from 'fastify'
import { EventsModule } from '../../contract/tenants/tenant-modules.ts'
import { deployment } from '../core/deployment.ts'
import { eachTenant } from '../core/tenant-pass.ts'
import type { Storage } from '../storage/storage.ts'
import type { TenantSnapshots } from '../tenants/tenant-snapshot.ts'
import type { CheckpointKeys } from './checkpoint-keys.ts'
import type { EventPurgeStore, PurgeCursor, UnpurgedBatches } from './event-purge.ts'
import { type HashedRow, hashedRow, purgeMark } from './purge-mark.ts'
import type { StoredBatch } from './sealed-log.ts'

export interface EventPurgeOptions {
  readonly storage: Storage
  readonly snapshots: Pick<TenantSnapshots, 'of'>
  readonly checkpointKeys: CheckpointKeys
  readonly logger: Pick<FastifyBaseLogger, 'error'>
}

/** Batches sealed before these times lose their events, and those with acts of operators (epoch milliseconds). */
interface Retention {
  readonly all: number
  readonly operators: number
}

const DAY = 86_400_000
/** Retention is counted in days. */
const everyMs = 60 * 60_000
/** Of batches: a large one that keeps acts of operators has 170 KB of hashes. */
const pageSize = 20
/** Rows per read; they are hashed before the event loop turns. */
const rowsAtOnce = 250

/** Acts of operators are kept at least as long as everything else. */
function retentionOf({ days, operatorDays }: EventsModule, now: number): Retention {
  const all = now - days * DAY
  return { all, operators: Math.min(all, now - operatorDays * DAY) }
}

/** The deployment's log holds acts of operators. */
function retentionOfDeployment(now: number): Retention {
  const { operators } = retentionOf(EventsModule.parse({}), now)
  return { all: operators, operators }
}

/**
 * Housekeeping task that deletes old events, once an hour. Each batch is a transaction, so an interrupted pass is resumed
 * by the next one.
 * @returns one pass; it throws TenantsFailed at its end when some tenants failed, or the error of the deployment's log
 */
export function createEventPurge(options: EventPurgeOptions): (now: number) => Promise<void> {
  const { storage, snapshots } = options
  let purgedAt = Number.NEGATIVE_INFINITY
  return async (now) => {
    // Absolute, because the clock may have been set back.
    if (Math.abs(now - purgedAt) < everyMs) return
    try {
      await purgeLog(options, deployment, retentionOfDeployment(now), now)
    } finally {
      await eachTenant(storage, async (tenant) => {
        const { configuration } = await snapshots.of(tenant)
        await purgeLog(options, tenant.id, retentionOf(configuration.events, now), now)
      })
    }
    purgedAt = now
  }
}

async function purgeLog(options: EventPurgeOptions, tenantId: string, retention: Retention, now: number) {
  const log = { ...options, tenantId, retention, now }
  await purgeBatches(log, 'all rows', retention.all)
  await purgeBatches(log, 'acts of operators', retention.operators)
}

interface LogPurge extends EventPurgeOptions {
  readonly tenantId: string
  readonly retention: Retention
  readonly now: number
}

async function purgeBatches(
  { storage, checkpointKeys, logger, tenantId, retention, now }: LogPurge,
  have: UnpurgedBatches['have'],
  before: number,
): Promise<void> {
  const store = storage.system.eventPurge(tenantId)
  let after: PurgeCursor = { sealedAt: -1, batch: 0 }
  for (;;) {
    const page = await store.list({ have, before, after, limit: pageSize })
    if (page.length === 0) return
    const key = await checkpointKeys.signer(now)
    for (const batch of page) {
      const keep = batch.sealedAt < retention.operators ? 'nothing' : 'acts of operators'
      const mark = purgeMark({ tenantId, batch, rows: await rowsOf(store, batch), keep, now }, key)
      const deleted = await store.purge(batch, keep, mark)
      if (mark === null && deleted) {
        const place = { tenant: tenantId, batch: batch.batch }
        logger.error(place, 'deleted old events that do not match their batch; verification reports the batch')
      }
    }
    after = page.at(-1)!
  }
}

/** Read before the transaction that deletes them, which is the shorter for it: what a hash covers never changes. */
async function rowsOf(store: EventPurgeStore, batch: StoredBatch): Promise<HashedRow[]> {
  const rows: HashedRow[] = []
  for (;;) {
    const page = await store.rows(batch, rows.at(-1)?.sequence ?? 0, rowsAtOnce)
    rows.push(...page.map(hashedRow))
    if (page.length < rowsAtOnce) return rows
  }
}
