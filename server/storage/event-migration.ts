import {
  aboutAnother,
  index,
  type Migration,
  partialIndex,
  partlyPurged,
  table,
  unpurged,
  withRowIds,
} from './schema-steps.ts'

/** The columns of an event, queued and sealed. */
const recorded = `at BIGINT NOT NULL, type TEXT NOT NULL, actor_kind TEXT NOT NULL, actor_id TEXT,
        subject_kind TEXT NOT NULL, subject_id TEXT, outcome TEXT NOT NULL, request_id TEXT, public TEXT NOT NULL,
        personal TEXT, commitment TEXT NOT NULL`

/** The queue of events, their sealed logs, and the keys that sign these. */
export const eventMigration: Migration = {
  id: '0016-events',
  steps: [
    // No foreign keys: the deployment's own log has the tenant `deployment`, as its kept answers have.
    // The queue has no index but its key, and ids rise: rows are appended and taken from the front.
    table('event_queue', `tenant_id TEXT NOT NULL, id TEXT NOT NULL, ${recorded}, PRIMARY KEY (id, tenant_id)`),
    table(
      'events',
      `tenant_id TEXT NOT NULL, sequence BIGINT NOT NULL, id TEXT NOT NULL, batch BIGINT NOT NULL, ${recorded},
      PRIMARY KEY (tenant_id, sequence), UNIQUE (tenant_id, id)`,
    ),
    index('events_of_subject', 'events (tenant_id, subject_id, id)'),
    // Most events are of users about themselves, and are in one index, not in two.
    partialIndex('events_of_actor', 'events (tenant_id, actor_id, id)', aboutAnother),
    table(
      'event_heads',
      `tenant_id TEXT NOT NULL, batch BIGINT NOT NULL, sequence BIGINT NOT NULL, hash TEXT NOT NULL,
      PRIMARY KEY (tenant_id)`,
    ),
    // What is purged keeps its batch, so that the chain stays whole: docs/decisions/0042-sealed-event-log.md.
    table(
      'event_batches',
      `tenant_id TEXT NOT NULL, batch BIGINT NOT NULL, first_sequence BIGINT NOT NULL, count BIGINT NOT NULL,
      sealed_at BIGINT NOT NULL, root TEXT NOT NULL, previous TEXT NOT NULL, hash TEXT NOT NULL, kid TEXT NOT NULL,
      signature TEXT NOT NULL, row_hashes TEXT, kept BIGINT, purged_at BIGINT, purge_kid TEXT, purge_signature TEXT,
      PRIMARY KEY (tenant_id, batch)`,
    ),
    // Batches that still have rows: of any kind, and of operators' acts after the others are purged.
    partialIndex(
      'event_batches_unpurged',
      'event_batches (tenant_id, sealed_at)',
      unpurged,
      'event_batches (tenant_id, purged_at, sealed_at)',
    ),
    partialIndex(
      'event_batches_kept',
      'event_batches (tenant_id, sealed_at)',
      partlyPurged,
      'event_batches (tenant_id, kept, sealed_at)',
    ),
    // Erased users whose older events are erased in the background.
    table(
      'event_erasures',
      'TENANT, user_id TEXT NOT NULL, erased_at BIGINT NOT NULL, PRIMARY KEY (tenant_id, user_id)',
    ),
    index('event_erasures_by_time', 'event_erasures (erased_at, tenant_id, user_id)'),
    index('event_batches_by_time', 'event_batches (tenant_id, sealed_at, batch)'),
    table(
      'checkpoint_keys',
      `kid TEXT NOT NULL PRIMARY KEY, ordinal BIGINT NOT NULL UNIQUE, public_jwk TEXT NOT NULL,
      sealed_private_jwk TEXT NOT NULL, created_at BIGINT NOT NULL`,
    ),
  ],
}

/**
 * Where tables have row ids, these order the queue: an index of ids costs as much as the row itself.
 * docs/decisions/0042-sealed-event-log.md.
 */
export const eventQueueMigration: Migration = {
  id: '0019-event-queue-by-row-id',
  steps: [
    withRowIds(() => 'ALTER TABLE event_queue RENAME TO keyed_event_queue'),
    withRowIds(table('event_queue', `tenant_id TEXT NOT NULL, id TEXT NOT NULL, ${recorded}`)),
    withRowIds(
      () =>
        `INSERT INTO event_queue (tenant_id, id, at, type, actor_kind, actor_id, subject_kind, subject_id, outcome, request_id,
           public, personal, commitment)
         SELECT tenant_id, id, at, type, actor_kind, actor_id, subject_kind, subject_id, outcome, request_id, public, personal,
           commitment
         FROM keyed_event_queue ORDER BY id, tenant_id`,
    ),
    withRowIds(() => 'DROP TABLE keyed_event_queue'),
  ],
}
