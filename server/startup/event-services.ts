import { createCheckpointKeys } from '../events/checkpoint-keys.ts'
import { finishErasures } from '../events/finish-erasures.ts'
import { createEventPurge, type EventPurgeOptions } from '../events/purge-events.ts'
import { EventRelay } from '../events/relay.ts'
import type { HousekeepingTask } from '../housekeeping/housekeeping.ts'
import type { Metrics } from '../metrics/metrics.ts'
import type { Keyring } from '../secrets/keyring.ts'
import type { Services } from '../services.ts'
import type { ServiceSettings } from '../settings/service-settings.ts'

/** The sealing of events and its keys. */
export function createEventServices(
  { storage, clock, logger, eventShare }: ServiceSettings,
  keyring: Keyring,
  metrics: Metrics,
): Pick<Services, 'events' | 'checkpointKeys'> {
  const checkpointKeys = createCheckpointKeys({ store: storage.system.checkpointKeys, keyring, logger })
  const events = new EventRelay({
    sealing: storage.system.eventSealing,
    keys: checkpointKeys,
    clock,
    logger,
    waiting: () => storage.usage.waiting,
    onSealed: metrics.countSealing,
    ...(eventShare !== undefined && { share: eventShare }),
  })
  return { events, checkpointKeys }
}

/** What becomes of events: persons are erased, old events are purged. */
export const eventTasks = (options: EventPurgeOptions): HousekeepingTask[] => [
  { name: 'event_erasures', run: (now) => finishErasures(options.storage, now) },
  { name: 'old_events', run: createEventPurge(options) },
]
