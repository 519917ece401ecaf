import type { EventBatch, EventHead, PurgeMark, SealedEvent } from '../../events/sealed-log.ts'
import { columnsOf, number, text } from '../columns.ts'
import { recorded } from './event-queue.ts'

export const sealedEvents = columnsOf<SealedEvent>('events', {
  sequence: number('sequence'),
  batch: number('batch'),
  ...recorded,
})

export const eventBatches = columnsOf<EventBatch>('event_batches', {
  batch: number('batch'),
  firstSequence: number('first_sequence'),
  count: number('count'),
  sealedAt: number('sealed_at'),
  root: text('root'),
  previous: text('previous'),
  hash: text('hash'),
  kid: text('kid'),
  signature: text('signature'),
})

export const purgeMarks = columnsOf<PurgeMark>('event_batches', {
  rowHashes: text('row_hashes'),
  kept: number('kept'),
  purgedAt: number('purged_at'),
  purgeKid: text('purge_kid'),
  purgeSignature: text('purge_signature'),
})

export const storedBatches = eventBatches.and(purgeMarks)

export const eventHeads = columnsOf<EventHead>('event_heads', {
  batch: number('batch'),
  sequence: number('sequence'),
  hash: text('hash'),
})
