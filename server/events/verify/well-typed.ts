import type { EventHead, SealedEvent, StoredBatch } from '../sealed-log.ts'

type Kind = 'text' | 'text or null' | 'integer' | 'integer or null' | 'time' | 'time or null'
type Kinds<T> = { readonly [Field in keyof T]-?: Kind }

const events = {
  ...{ sequence: 'integer', batch: 'integer', id: 'text', at: 'time', type: 'text' },
  ...{ actorKind: 'text', actorId: 'text or null', subjectKind: 'text', subjectId: 'text or null' },
  ...{ outcome: 'text', requestId: 'text or null', public: 'text', personal: 'text or null', commitment: 'text' },
} as const satisfies Kinds<SealedEvent>

const batches = {
  ...{ batch: 'integer', firstSequence: 'integer', count: 'integer', sealedAt: 'time', root: 'text', previous: 'text' },
  ...{ hash: 'text', kid: 'text', signature: 'text', rowHashes: 'text or null', kept: 'integer or null' },
  ...{ purgedAt: 'time or null', purgeKid: 'text or null', purgeSignature: 'text or null' },
} as const satisfies Kinds<StoredBatch>

const heads = { batch: 'integer', sequence: 'integer', hash: 'text' } as const satisfies Kinds<EventHead>

/** The latest time of a Date, in epoch milliseconds. */
const latest = 8_640_000_000_000_000

function isA(kind: Kind, value: unknown): boolean {
  if (value === null) return kind.endsWith('null')
  if (kind.startsWith('text')) return typeof value === 'string'
  return Number.isSafeInteger(value) && (!kind.startsWith('time') || Math.abs(value as number) <= latest)
}

interface WellTyped<T> {
  readonly row: T
  /** The first field of which a value was replaced; null when the row is as it was read. */
  readonly wrong: string | null
}

/**
 * A row in which each value has the type of its field. Other programs can store others, and a verification reports
 * them. They become an empty text or 0, with which the other checks go on.
 */
const wellTyped = <T extends object>(kinds: Kinds<T>) => {
  const fields = Object.entries(kinds) as [keyof T & string, Kind][]
  return (row: T): WellTyped<T> => {
    const wrong = fields.filter(([field, kind]) => !isA(kind, row[field]))
    if (wrong.length === 0) return { row, wrong: null }
    const replaced = wrong.map(([field, kind]) => [field, kind.startsWith('text') ? '' : 0])
    return { row: { ...row, ...Object.fromEntries(replaced) }, wrong: wrong[0]![0] }
  }
}

export const wellTypedEvent = wellTyped<SealedEvent>(events)
export const wellTypedBatch = wellTyped<StoredBatch>(batches)
export const wellTypedHead = wellTyped<EventHead>(heads)
