import type { Random } from '../../../test/campaign/seeded-random.ts'
import type { EventHead, SealedEvent, StoredBatch } from '../sealed-log.ts'
import {
  currentKey,
  earlierKey,
  eraseUser,
  foreignKey,
  headOf,
  purgeBatch,
  type SampleLog,
  sampleEvent,
  sampleLog,
  sealBatch,
  unpurged,
} from './sample-log.testkit.ts'

/** The user who is erased in some random logs. */
export const erasedUser = 'user-3'

/** A small log as the service may leave it: sealed with two keys, its first batches purged, a person erased. */
export function randomLog(tenantId: string, random: Random): SampleLog {
  const sizes = Array.from({ length: 2 + random.below(5) }, () => 1 + random.below(9))
  const log = sampleLog(tenantId, sizes.slice(0, 1 + random.below(sizes.length)), earlierKey)
  for (const size of sizes.slice(log.batches.length)) seal(log, size)
  const purged = random.below(log.batches.length)
  const empty = random.below(purged + 1)
  for (let batch = 1; batch <= purged; batch++) purgeBatch(log, batch, batch > empty, currentKey)
  if (random.below(2) === 0) eraseUser(log, erasedUser)
  return log
}

function seal(log: SampleLog, size: number): void {
  const batch = log.batches.length + 1
  const events = Array.from({ length: size }, (_, index) =>
    sampleEvent(log.tenantId, log.head!.sequence + 1 + index, batch),
  )
  log.batches.push(sealBatch(log.tenantId, events, log.batches.at(-1) ?? null, currentKey))
  log.events.push(...events)
  log.head = headOf(log)
}

/** Events without their personal part although the person exists, as the database answers them. */
export const notErasedIn = ({ events }: SampleLog): number[] =>
  events
    .filter((event) => event.personal === null && event.subjectId !== erasedUser && event.actorId !== erasedUser)
    .map(({ sequence }) => sequence)

/** Changes a log; returns false when it cannot be applied to this one. */
type Tampering = (log: SampleLog, other: SampleLog, random: Random) => boolean

const numbers = ['kept', 'purgedAt']

/** One bit of a stored value; a value where there is none. */
function flipped(name: string, value: string | number | null, random: Random): string | number {
  if (value === null) return numbers.includes(name) ? random.below(2) : 'A'
  if (typeof value === 'number') return value + random.pick([1, -1]) * 2 ** random.below(40)
  if (value === '') return 'A'
  const at = random.below(value.length)
  const changed = String.fromCharCode(value.charCodeAt(at) ^ (1 << random.below(5)))
  return `${value.slice(0, at)}${changed}${value.slice(at + 1)}`
}

function flip<T extends object>(row: T, random: Random): T {
  const [name, value] = random.pick(Object.entries(row))
  return { ...row, [name]: flipped(name, value, random) }
}

const replace = <T>(rows: readonly T[], at: number, row: T): T[] => rows.with(at, row)

function changedEvent(log: SampleLog, random: Random, change: (event: SealedEvent) => SealedEvent): boolean {
  if (log.events.length === 0) return false
  const at = random.below(log.events.length)
  log.events = replace(log.events, at, change(log.events[at]!))
  return true
}

function changedBatch(log: SampleLog, random: Random, change: (batch: StoredBatch) => StoredBatch): boolean {
  const at = random.below(log.batches.length)
  log.batches = replace(log.batches, at, change(log.batches[at]!))
  return true
}

/** Seals every batch from one on again, under the name of a trusted key or of another one. */
function resealed(log: SampleLog, from: number, random: Random): void {
  const key = { ...foreignKey, kid: random.pick([currentKey.kid, foreignKey.kid]) }
  for (let number = from; number <= log.batches.length; number++) {
    const events = log.events.filter(({ batch }) => batch === number)
    const sealed = sealBatch(log.tenantId, events, log.batches[number - 2] ?? null, key)
    log.batches = replace(log.batches, number - 1, sealed)
  }
  log.head = headOf(log)
}

export const tamperings: Readonly<Record<string, Tampering>> = {
  'a bit of an event': (log, _other, random) => changedEvent(log, random, (event) => flip(event, random)),
  'a bit of a batch': (log, _other, random) => changedBatch(log, random, (batch) => flip(batch, random)),
  'a bit of the head': (log, _other, random) => {
    log.head = flip<EventHead>(log.head!, random)
    return true
  },
  'a deleted event': (log, _other, random) => {
    if (log.events.length === 0) return false
    log.events = log.events.toSpliced(random.below(log.events.length), 1)
    return true
  },
  'an inserted event': (log, _other, random) => {
    const last = log.head!.sequence
    const stored = new Set(log.events.map(({ sequence }) => sequence))
    const free = Array.from({ length: last + 4 }, (_, index) => index - 1).filter((sequence) => !stored.has(sequence))
    const sequence = random.pick(free)
    const { batch } = log.batches.findLast(({ firstSequence }) => firstSequence <= sequence) ?? log.batches[0]!
    log.events.push({ ...sampleEvent(log.tenantId, sequence, batch), id: `inserted-${sequence}` })
    return true
  },
  'swapped events': (log, _other, random) => {
    if (log.events.length < 2) return false
    const [one, other] = random.shuffled(log.events).slice(0, 2) as [SealedEvent, SealedEvent]
    log.events = log.events.map((event) => {
      if (event === one) return { ...other, sequence: one.sequence, batch: one.batch }
      return event === other ? { ...one, sequence: other.sequence, batch: other.batch } : event
    })
    return true
  },
  'an event of another tenant': (log, other, random) => {
    const at = random.below(Math.min(log.events.length, other.events.length))
    if (log.events[at] === undefined || other.events[at] === undefined) return false
    const { sequence, batch } = log.events[at]
    log.events = replace(log.events, at, { ...other.events[at], sequence, batch })
    return true
  },
  'a batch of another tenant': (log, other, random) => {
    const at = random.below(Math.min(log.batches.length, other.batches.length))
    log.batches = replace(log.batches, at, other.batches[at]!)
    return true
  },
  'a batch and its events of another tenant': (log, other, random) => {
    const number = 1 + random.below(Math.min(log.batches.length, other.batches.length))
    log.batches = replace(log.batches, number - 1, other.batches[number - 1]!)
    log.events = [...log.events, ...other.events].filter(
      (event) => (event.batch === number) === other.events.includes(event),
    )
    return true
  },
  'a log sealed again without the key': (log, _other, random) => {
    const whole = log.batches.filter(({ purgedAt }) => purgedAt === null)
    const { batch: number } = random.pick(whole)
    const at = log.events.findIndex(({ batch }) => batch === number)
    log.events = replace(log.events, at, { ...log.events[at]!, outcome: 'refused' })
    resealed(log, number, random)
    return true
  },
  'a dropped batch': (log, _other, random) => {
    const number = 1 + random.below(log.batches.length)
    const dropsEvents = random.below(2) === 0
    log.batches = log.batches.filter(({ batch }) => batch !== number)
    if (dropsEvents) log.events = log.events.filter(({ batch }) => batch !== number)
    return true
  },
  'a cut end': (log, _other, random) => {
    const left = random.below(log.batches.length)
    log.batches = log.batches.slice(0, left)
    log.events = log.events.filter(({ batch }) => batch <= left)
    return true
  },
  'a head before the end': (log, _other, random) => {
    const left = random.below(log.batches.length)
    log.head = headOf({ ...log, batches: log.batches.slice(0, left) })
    return true
  },
  'swapped batches': (log, _other, random) => {
    if (log.batches.length < 2) return false
    const [one, other] = random.shuffled(log.batches).slice(0, 2) as [StoredBatch, StoredBatch]
    log.batches = log.batches.map((batch) => {
      if (batch === one) return { ...other, batch: one.batch }
      return batch === other ? { ...one, batch: other.batch } : batch
    })
    return true
  },
  'an erased part of a person that exists': (log, _other, random) => {
    const before = log.events
    const changed = changedEvent(log, random, (event) => ({ ...event, personal: null }))
    return changed && notErasedIn(log).length > 0 && before !== log.events
  },
  'a purge without the key': (log, _other, random) => {
    const { batch } = random.pick(log.batches.filter(({ purgedAt }) => purgedAt === null))
    purgeBatch(log, batch, random.below(2) === 0, { ...foreignKey, kid: random.pick([currentKey.kid, foreignKey.kid]) })
    return true
  },
  'a copied mark of a purge': (log, other, random) => {
    const from = random.pick([...log.batches, ...other.batches])
    const to = 1 + random.below(log.batches.length)
    if (from.purgedAt === null || log.batches[to - 1] === from) return false
    const { rowHashes, kept, purgedAt, purgeKid, purgeSignature } = from
    const marked = { ...log.batches[to - 1]!, rowHashes, kept, purgedAt, purgeKid, purgeSignature }
    log.batches = replace(log.batches, to - 1, marked)
    log.events = log.events.filter(({ batch, actorKind }) => batch !== to || (kept !== 0 && actorKind === 'operator'))
    return true
  },
  'a hidden purge': (log, _other, random) => {
    // Without its mark, a purge that kept every event is none.
    const purged = log.batches.filter(({ kept, count }) => kept !== null && kept < count)
    if (purged.length === 0) return false
    const { batch } = random.pick(purged)
    log.batches = replace(log.batches, batch - 1, { ...log.batches[batch - 1]!, ...unpurged })
    return true
  },
}
