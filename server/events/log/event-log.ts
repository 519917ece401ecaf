import type { EventHead, SealedEvent, StoredBatch } from '../sealed-log.ts'

/** Conditions on events; all hold. */
export interface EventFilter {
  /** A type, or a prefix of types that ends in `.*`. */
  readonly type?: string | undefined
  readonly actorId?: string | undefined
  readonly subjectId?: string | undefined
  readonly outcome?: SealedEvent['outcome'] | undefined
  readonly requestId?: string | undefined
  /** Epoch milliseconds, inclusive. */
  readonly since?: number | undefined
  /** Epoch milliseconds, exclusive. */
  readonly until?: number | undefined
}

/** A section of a list, newest first. */
export interface EventSection {
  readonly limit: number
  /** Continues with older events than this id; null: starts with the newest. */
  readonly before: string | null
}

export interface ListedEvents {
  readonly rows: SealedEvent[]
  /** The `before` of the next section; null when there are no more events. */
  readonly next: string | null
}

/** An event without its personal part, although the users that are its subject or actor exist. */
export interface LostPart extends Pick<SealedEvent, 'sequence' | 'at'> {
  readonly userIds: readonly string[]
}

/** Without a time: from the first batch, or to the last one. */
export interface SealingTimes {
  /** Epoch milliseconds, inclusive. */
  readonly since?: number | undefined
  /** Epoch milliseconds, exclusive. */
  readonly until?: number | undefined
}

/** Numbers of batches, both inclusive. */
export interface BatchRange {
  readonly first: number
  readonly last: number
}

/** The sealed log of a tenant or of the deployment, as it is read. Events that are not sealed yet are not part of it. */
export interface EventLogStore {
  /** Newest first. A section examines a bounded number of events, so it may be short although there are more. */
  list(filter: EventFilter, section: EventSection): Promise<ListedEvents>
  /** The events of which a user is the subject or the actor, newest first. */
  listAbout(userId: string, section: EventSection & Pick<EventFilter, 'since'>): Promise<ListedEvents>
  /** Events by sequence, `after` exclusive and `upTo` inclusive, in that order. */
  between(after: number, upTo: number, limit: number): Promise<SealedEvent[]>
  head(): Promise<EventHead>
  /** Whether an event has this id as its subject or its actor. */
  mentions(id: string): Promise<boolean>
  /** Events of a range of sequences without their personal part, although the persons they are about exist. */
  notErased(first: number, last: number): Promise<LostPart[]>
  /** How many events and batches have a number up to `least` or beyond `most`, or no number. */
  outside(least: number, most: number): Promise<number>
  /** Batches, `after` exclusive and `upTo` inclusive, oldest first. */
  batchesBetween(after: number, upTo: number, limit: number): Promise<StoredBatch[]>
  /** Batches before one, newest first; null: from the newest. */
  batchesBefore(batch: number | null, limit: number): Promise<StoredBatch[]>
  /**
   * The lowest and the highest number of the batches that were sealed between two times; null when there are none. A later
   * batch may have an earlier time.
   */
  batchesSealed(times: SealingTimes): Promise<BatchRange | null>
}
