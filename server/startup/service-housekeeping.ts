import { createGuestPurge } from '../accounts/purge-guests.ts'
import type { EventAnchor } from '../events/anchor/anchor-heads.ts'
import { createHousekeeping, type HousekeepingTask } from '../housekeeping/housekeeping.ts'
import { purgeTasks } from '../housekeeping/purge-tasks.ts'
import type { ManagedRateLimiter } from '../limits/rate-limiter.ts'
import { createDigestWrapping, digestTask } from '../passwords/wrap-digests.ts'
import { SchemaBuilds, schemaBuildTask } from '../profiles/index/schema-builds.ts'
import { defaultArchiveDays } from '../profiles/migrations/archived-fields.ts'
import { createProfileMigration } from '../profiles/migrations/migrate-stored-profiles.ts'
import type { Services } from '../services.ts'
import type { ServiceSettings } from '../settings/service-settings.ts'
import { eraseDeletedTenants } from '../tenants/erase-deleted-tenants.ts'
import { eventTasks } from './event-services.ts'

const DAY = 86_400_000

/** What housekeeping works on. */
interface Kept
  extends Pick<
    Services,
    'snapshots' | 'hasher' | 'metrics' | 'signingKeys' | 'exceededLimits' | 'counts' | 'checkpointKeys'
  > {
  readonly limiter: ManagedRateLimiter
  /** Stores the last uses of keys. */
  readonly flushUses: () => Promise<void>
  readonly statisticsTasks: readonly HousekeepingTask[]
  readonly anchor: EventAnchor | null
}

/** Housekeeping, and the two of its tasks that handlers wake. */
export function createServiceHousekeeping(
  settings: ServiceSettings,
  kept: Kept,
): Pick<Services, 'housekeeping' | 'digestWrapping' | 'schemaBuilds'> {
  const { clock, logger, storage } = settings
  const { limiter, signingKeys, exceededLimits, snapshots, counts, checkpointKeys, anchor } = kept
  const digestWrapping = createDigestWrapping(storage, kept.hasher, logger, () => onSuccess(digestTask, clock.now()))
  const schemaBuilds = new SchemaBuilds({
    storage,
    snapshots,
    clock,
    logger,
    onSuccess: () => onSuccess(schemaBuildTask, clock.now()),
  })
  const archiveMs = (settings.archiveDays ?? defaultArchiveDays) * DAY
  const quickTasks: readonly HousekeepingTask[] = [
    { name: 'limiter_sweep', run: (now) => limiter.sweep(now) },
    { name: 'exceeded_limits', run: (now) => exceededLimits.flush(now) },
    { name: digestTask, run: () => digestWrapping.wake(), reportsItself: true },
    { name: 'key_uses', run: kept.flushUses },
    { name: 'counts', run: counts.flush },
    { name: 'signing_keys', run: (now) => signingKeys.maintain(now) },
    { name: schemaBuildTask, run: () => schemaBuilds.wake(), reportsItself: true },
  ]
  const tasks: readonly HousekeepingTask[] = [
    ...purgeTasks(storage, settings.retentionDays * DAY),
    { name: 'deleted_tenants', run: (now) => eraseDeletedTenants(storage, now) },
    ...kept.statisticsTasks,
    ...eventTasks({ storage, snapshots, logger, checkpointKeys }),
    ...(anchor === null ? [] : [{ name: 'events_anchor', run: anchor.run }]),
    { name: 'profile_migrations', run: createProfileMigration(storage, snapshots, archiveMs) },
    { name: 'idle_guests', run: createGuestPurge(storage, snapshots, counts) },
  ]
  const onSuccess = kept.metrics.watchHousekeeping([...quickTasks, ...tasks].map(({ name }) => name))
  const housekeeping = createHousekeeping({ quickTasks, tasks, clock, logger, onSuccess })
  return { housekeeping, digestWrapping, schemaBuilds }
}
