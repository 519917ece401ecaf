import type { TestDatabase } from '../databases/test-database.ts'

/** A recorded event, queued or sealed, as a test compares it. */
export interface Recorded {
  readonly log: string
  readonly type: string
  readonly actor: string
  readonly subject: string
  readonly outcome: string
  readonly code?: string
  readonly details?: Readonly<Record<string, unknown>>
  /** The changed names with the values that are shown. */
  readonly changes?: Readonly<Record<string, unknown>>
}

const columns =
  'id, tenant_id, type, actor_kind, actor_id, subject_kind, subject_id, outcome, request_id, public, personal'

/**
 * Every stored row of the logs, oldest first; `changes` has the changed names with the values that are shown. Rows move from
 * the queue to the log at any time.
 */
export const eventRows = (database: TestDatabase) => {
  const rows = database.ask(`SELECT ${columns} FROM event_queue UNION SELECT ${columns} FROM events ORDER BY id`)
  return rows.map((row) => {
    const shown = JSON.parse(String(row['public']))
    const personal = row['personal'] === null ? null : JSON.parse(String(row['personal']))
    const changes: Readonly<Record<string, unknown>> | undefined =
      shown.changed &&
      Object.fromEntries((shown.changed as string[]).map((name) => [name, personal?.changes?.[name] ?? {}]))
    return { id: String(row['id']), log: String(row['tenant_id']), row, public: shown, personal, changes }
  })
}

/** The events that were recorded after `id`, oldest first; those of one time in no order. */
export function recordedAfter(database: TestDatabase, id: string): Recorded[] {
  return eventRows(database)
    .filter((event) => event.id > id)
    .map(({ log, row, public: { code, details }, changes }) => ({
      log,
      type: String(row['type']),
      actor: nameOf(row['actor_kind'], row['actor_id']),
      subject: nameOf(row['subject_kind'], row['subject_id']),
      outcome: String(row['outcome']),
      ...(code && { code }),
      ...(details && { details }),
      ...(changes && { changes }),
    }))
}

/** The id of the newest event; `''` when there is none. */
export const newestEvent = (database: TestDatabase): string => eventRows(database).at(-1)?.id ?? ''

const nameOf = (kind: unknown, id: unknown): string => (id === null ? String(kind) : `${kind} ${id}`)
