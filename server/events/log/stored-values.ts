import { isRecord } from '../../../contract/fields/profile-values.ts'
import { damagedLog } from '../../core/damaged-log.ts'
import type { PersonalPart, PublicPart } from '../event.ts'
import type { EventHead, SealedEvent, StoredBatch } from '../sealed-log.ts'
import { wellTypedBatch, wellTypedEvent, wellTypedHead } from '../verify/well-typed.ts'

/** What a stored event says, to show it. */
interface ReadEvent {
  readonly public: PublicPart
  readonly personal: Partial<PersonalPart> | null
}

/** @throws ServiceError EVENT_LOG_DAMAGED */
export function readEvent(event: SealedEvent): ReadEvent {
  const { wrong } = wellTypedEvent(event)
  if (wrong !== null) throw damagedLog(`event ${event.sequence}`, wrong)
  const shown: PublicPart = objectIn(event, 'public', event.public)
  const personal: Partial<PersonalPart> | null =
    event.personal === null ? null : objectIn(event, 'personal', event.personal)
  if (!isList(shown.changed) || !isRecord(shown.details ?? {})) throw damagedLog(`event ${event.sequence}`, 'public')
  if (!isRecord(personal?.changes ?? {})) throw damagedLog(`event ${event.sequence}`, 'personal')
  return { public: shown, personal }
}

const isList = (value: unknown): boolean =>
  value === undefined || (Array.isArray(value) && value.every((name) => typeof name === 'string'))

/** @throws ServiceError EVENT_LOG_DAMAGED */
export function readBatch(batch: StoredBatch): StoredBatch {
  const { wrong } = wellTypedBatch(batch)
  if (wrong !== null) throw damagedLog(`batch ${batch.batch}`, wrong)
  return batch
}

/** @throws ServiceError EVENT_LOG_DAMAGED */
export function readHead(head: EventHead): EventHead {
  const { wrong } = wellTypedHead(head)
  if (wrong !== null) throw damagedLog('the head', wrong)
  return head
}

function objectIn({ sequence }: SealedEvent, field: string, text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value)) return value
  } catch {
    // Reported below.
  }
  throw damagedLog(`event ${sequence}`, field)
}
