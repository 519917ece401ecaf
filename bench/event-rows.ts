import { aboutAnother } from '../server/storage/schema-steps.ts'
import { generatedId, idOf, numbers, padded, type Rows, tenantId, tenantRows } from './generated-rows.ts'

/** Each user has as many events as there are events for one user. */
const users = 100_000
const batchSize = 1_000
/** A month ago: housekeeping deletes events after 90 days. */
const then = Date.now() - 30 * 86_400_000
export const rareType = 'tenant.suspended'

export const eventAt = (sequence: number): string => idOf('EVEN', sequence)

export const userAt = (number: number): string => idOf('SEED', number % users)

/** When a batch of the log was sealed, in epoch milliseconds. */
export const sealedAt = (batch: number): number => then + batch * 1_000

/** One tenant and its sealed events, in batches of a thousand. */
export const eventRows =
  (events: number): Rows =>
  (engine) => {
    const id = (letters: string) => generatedId(engine, letters, 'i')
    const text = (number: string, length: number) => padded(engine, number, length)
    // Consecutive events are of users that are far from each other.
    const user = generatedId(engine, 'SEED', `((i * 7919) % ${users})`)
    const type = `CASE WHEN i % 3000000 = 1000 THEN '${rareType}'
      WHEN i % 10 < 4 THEN 'sign_in.succeeded' WHEN i % 10 < 7 THEN 'session.created' WHEN i % 10 < 8 THEN 'session.ended'
      WHEN i % 10 < 9 THEN 'otp.verified' ELSE 'sign_in.refused' END`
    const batches = Math.ceil(events / batchSize)
    const sections = Array.from({ length: Math.ceil(events / 1_000_000) }, (_, index) => index * 1_000_000)
    return [
      ...tenantRows('Events', then),
      // An index of sorted rows is ten times faster than one that grows with each.
      'DROP INDEX events_of_subject',
      'DROP INDEX events_of_actor',
      ...sections.map(
        (
          first,
        ) => `INSERT INTO events (tenant_id, sequence, id, batch, at, type, actor_kind, actor_id, subject_kind, subject_id,
           outcome, request_id, public, personal, commitment)
         SELECT '${tenantId}', i, ${id('EVEN')}, (i - 1) / ${batchSize} + 1, ${then} + i, ${type},
           CASE WHEN i % 10 = 9 THEN 'tenantKey' ELSE 'user' END, CASE WHEN i % 10 = 9 THEN '01KEY' ELSE ${user} END, 'user', ${user},
           CASE WHEN i % 10 = 9 THEN 'refused' ELSE 'done' END, ${id('REQS')},
           '{"details":{"method":"password","session":"' || ${id('SESS')} || '"}}',
           '{"network":"203.0.113.0/24","salt":"' || ${text('i', 22)} || '","userAgent":"Chrome 142 on macOS"}', ${text('i', 43)}
         FROM ${numbers(engine, first + 1, Math.min(first + 1_000_000, events))}`,
      ),
      'CREATE INDEX events_of_subject ON events (tenant_id, subject_id, id)',
      `CREATE INDEX events_of_actor ON events (tenant_id, actor_id, id) WHERE ${aboutAnother}`,
      `INSERT INTO event_batches (tenant_id, batch, first_sequence, count, sealed_at, root, previous, hash, kid, signature)
       SELECT '${tenantId}', i, (i - 1) * ${batchSize} + 1,
         CASE WHEN i = ${batches} THEN ${events - (batches - 1) * batchSize} ELSE ${batchSize} END, ${then} + i * 1000,
         ${text('i', 43)}, ${text('i - 1', 43)}, ${text('i', 43)}, '${'k'.repeat(43)}', ${text('i', 86)}
       FROM ${numbers(engine, 1, batches)}`,
      `INSERT INTO event_heads (tenant_id, batch, sequence, hash) VALUES ('${tenantId}', ${batches}, ${events}, '')`,
    ]
  }
