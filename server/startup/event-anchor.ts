import { createEventAnchor, type EventAnchor } from '../events/anchor/anchor-heads.ts'
import type { CheckpointKeys } from '../events/checkpoint-keys.ts'
import type { ServiceSettings } from '../settings/service-settings.ts'
import { anchorTarget } from './anchor-target.ts'

/** The anchor of event logs; loaded only where `TENANTRY_EVENTS_ANCHOR` is set. */
export function openEventAnchor(
  url: string,
  { storage, clock, wallClock = clock, logger }: ServiceSettings,
  keys: CheckpointKeys,
): EventAnchor {
  const heads = storage.system.eventHeads
  return createEventAnchor({ send: anchorTarget(url), heads, keys, clock, wallClock, logger })
}
