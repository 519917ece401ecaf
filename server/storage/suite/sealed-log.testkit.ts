import { ulid } from '../../core/ids.ts'
import type { SealedEvent, StoredBatch } from '../../events/sealed-log.ts'
import { currentKey, sampleEvent, sealBatch } from '../../events/verify/sample-log.testkit.ts'
import type { Columns } from '../columns.ts'
import { eventHeads, sealedEvents, storedBatches } from '../stores/sealed-log-columns.ts'
import { t0 } from './samples.testkit.ts'

/** A sealed log to store. */
interface StoredLog {
  readonly events: readonly SealedEvent[]
  readonly batches: readonly StoredBatch[]
}

/** An event about a user, one second after the one before. */
export const sealedEventOf = (sequence: number, changes: Partial<SealedEvent> = {}): SealedEvent => {
  const at = t0 + sequence * 1_000
  return { ...sampleEvent('', sequence, 1), id: ulid(at), at, ...changes }
}

/** Five events of an operator, a key and a tenant with this id, and four of a user. */
export const withOneId = (id: string): SealedEvent[] => {
  const operator = { actorKind: 'operator', actorId: 'root' } as const
  const names: Partial<SealedEvent>[] = [
    { subjectKind: 'tenant', subjectId: id, ...operator },
    { subjectKind: 'tenantKey', subjectId: id, ...operator },
    { subjectKind: 'operator', subjectId: id, actorKind: 'operator', actorId: id },
    { subjectKind: 'user', subjectId: 'another', actorKind: 'operator', actorId: id },
    { subjectKind: 'otp', subjectId: null, actorKind: 'tenantKey', actorId: id },
    { subjectKind: 'user', subjectId: id, ...operator },
    { subjectKind: 'user', subjectId: id, actorKind: 'operator', actorId: id },
    { subjectKind: 'user', subjectId: id, actorKind: 'user', actorId: id },
    { subjectKind: 'user', subjectId: 'another', actorKind: 'user', actorId: id },
  ]
  return names.map((each, index) => sealedEventOf(index + 1, each))
}

/** One batch of these events; the whole log when `before` is absent. */
export function batchOf(
  tenantId: string,
  events: readonly SealedEvent[],
  sealedAt: number,
  before: StoredBatch | null = null,
): StoredBatch {
  return { ...sealBatch(tenantId, events, before, currentKey), sealedAt }
}

/** SQL that stores a log. */
export function storing(tenantId: string, { events, batches }: StoredLog): string {
  const last = batches.at(-1)
  const head = last && { batch: last.batch, sequence: last.firstSequence + last.count - 1, hash: last.hash }
  return [
    insertion('events', sealedEvents, tenantId, events),
    insertion('event_batches', storedBatches, tenantId, batches),
    insertion('event_heads', eventHeads, tenantId, head === undefined ? [] : [head]),
  ].join('')
}

function insertion<T>(table: string, columns: Columns<T>, tenantId: string, rows: readonly T[]): string {
  if (rows.length === 0) return ''
  const values = rows.map((row) => `(${[tenantId, ...columns.values(row)].map(literal).join(', ')})`)
  return `INSERT INTO ${table} (tenant_id, ${columns.names}) VALUES ${values.join(', ')};\n`
}

const literal = (value: string | number | null): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(value)
