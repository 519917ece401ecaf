import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { canonicalJson } from '../../core/canonical-json.ts'
import { commitmentOf } from '../../core/commitment.ts'
import { presentBatchLine, presentCheckpoint, presentSealed } from '../log/present-batch.ts'
import {
  batchHash,
  batchRoot,
  joinRowHashes,
  type PublicCheckpointKey,
  purgeDigest,
  rowHash,
  signDigest,
  thumbprint,
} from '../seal.ts'
import type { EventHead, SealedEvent, StoredBatch } from '../sealed-log.ts'
import { startOfLog } from './check-batch.ts'
import type { VerifiedLog } from './verified-log.ts'
import { type LogSource, type VerifyOptions, verifyLog } from './verify-log.ts'

/** A checkpoint key of a test. */
export interface SampleKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly publicKey: KeyObject
}

function sampleKey(): SampleKey {
  const keys = generateKeyPairSync('ed25519')
  return { kid: thumbprint(keys.publicKey.export({ format: 'jwk' }) as unknown as PublicCheckpointKey), ...keys }
}

/** A log that a test may change. */
export interface SampleLog {
  readonly tenantId: string
  events: SealedEvent[]
  batches: StoredBatch[]
  head: EventHead | null
}

export const unpurged = {
  rowHashes: null,
  kept: null,
  purgedAt: null,
  purgeKid: null,
  purgeSignature: null,
} as const

/** 26 letters that sort by their number, as ids do. */
const idOf = (number: number): string => `01K${String(number).padStart(23, '0')}`

export const sealedAtOf = (batch: number): number => 1_770_000_000_000 + batch * 60_000

/** An event that is sealed as event `sequence`; each third one is an operator's act. */
export function sampleEvent(tenantId: string, sequence: number, batch: number): SealedEvent {
  const isOperator = sequence % 3 === 0
  const personal = canonicalJson({ salt: `salt-${tenantId}-${sequence}`, network: '203.0.113.0/24' })
  return {
    sequence,
    batch,
    id: idOf(sequence * 7),
    at: 1_770_000_000_000 + sequence * 1_000,
    type: isOperator ? 'user.updated' : 'sign_in.succeeded',
    actorKind: isOperator ? 'operator' : 'user',
    actorId: isOperator ? 'root' : `user-${sequence % 5}`,
    subjectKind: 'user',
    subjectId: `user-${sequence % 5}`,
    outcome: 'done',
    requestId: sequence % 4 === 0 ? null : `request-${sequence}`,
    public: canonicalJson({ details: { session: `session-${sequence}`, method: 'password' } }),
    personal,
    commitment: commitmentOf(personal),
  }
}

/** Seals events, as the relay does. */
export function sealBatch(
  tenantId: string,
  events: readonly SealedEvent[],
  before: StoredBatch | null,
  key: SampleKey,
): StoredBatch {
  const batch = (before?.batch ?? 0) + 1
  const content = {
    batch,
    firstSequence: before === null ? 1 : before.firstSequence + before.count,
    count: events.length,
    sealedAt: sealedAtOf(batch),
    root: batchRoot(events.map(rowHash)),
    previous: before?.hash ?? '',
  }
  const hash = batchHash(tenantId, content)
  return { ...content, hash, kid: key.kid, signature: signDigest(hash, key.privateKey), ...unpurged }
}

/** A sealed log with batches of these sizes. */
export function sampleLog(tenantId: string, sizes: readonly number[], key: SampleKey): SampleLog {
  const log: SampleLog = { tenantId, events: [], batches: [], head: null }
  for (const size of sizes) {
    const batch = log.batches.length + 1
    const first = log.events.length + 1
    const events = Array.from({ length: size }, (_, index) => sampleEvent(tenantId, first + index, batch))
    log.batches.push(sealBatch(tenantId, events, log.batches.at(-1) ?? null, key))
    log.events.push(...events)
  }
  log.head = headOf(log)
  return log
}

/** The head that belongs to the last batch. */
export function headOf({ batches }: SampleLog): EventHead | null {
  const last = batches.at(-1)
  return last === undefined
    ? null
    : { batch: last.batch, sequence: last.firstSequence + last.count - 1, hash: last.hash }
}

/** Purges a batch: its events go, except operators' acts when `keepsOperators`. */
export function purgeBatch(log: SampleLog, number: number, keepsOperators: boolean, key: SampleKey): void {
  const batch = log.batches[number - 1]!
  const isKept = (event: SealedEvent) => keepsOperators && event.actorKind === 'operator'
  const events = log.events.filter((event) => event.batch === number)
  const kept = events.filter(isKept).length
  const rowHashes = kept === 0 ? null : joinRowHashes(events.map(rowHash))
  const purgedAt = batch.sealedAt + 86_400_000
  const signature = signDigest(
    purgeDigest(log.tenantId, { batch: number, hash: batch.hash, kept, purgedAt, rowHashes }),
    key.privateKey,
  )
  log.batches[number - 1] = { ...batch, rowHashes, kept, purgedAt, purgeKid: key.kid, purgeSignature: signature }
  log.events = log.events.filter((event) => event.batch !== number || isKept(event))
}

/** Erases a user: the personal part of every event about or by them goes. */
export function eraseUser(log: SampleLog, userId: string): void {
  log.events = log.events.map((event) =>
    event.subjectId === userId || event.actorId === userId ? { ...event, personal: null } : event,
  )
}

export const currentKey = sampleKey()
export const earlierKey = sampleKey()
/** Not trusted. */
export const foreignKey = sampleKey()
const trusted = new Map([currentKey, earlierKey].map(({ kid, publicKey }) => [kid, publicKey]))
export const trustedKey = (kid: string): KeyObject | undefined => trusted.get(kid)

/** Several pages of everything, as a database answers them. */
function sourceOf(log: SampleLog): LogSource {
  const batches = [...log.batches].sort((one, other) => one.batch - other.batch)
  const events = [...log.events].sort((one, other) => one.sequence - other.sequence)
  return {
    nextBatches: async () => batches.splice(0, 2),
    nextEvents: async () => events.splice(0, 7),
    head: async () => log.head,
  }
}

export const verifySample = (
  log: SampleLog,
  options: Partial<VerifyOptions> = {},
  more: Partial<LogSource> = {},
): Promise<VerifiedLog> =>
  verifyLog(
    { ...sourceOf(log), ...more },
    { tenantId: log.tenantId, publicKey: trustedKey, from: startOfLog, ...options },
  )

/** The lines of an export, as `server/events/log/export-lines.ts` writes them. */
export function exportOf({ events, batches, head, tenantId }: SampleLog): string[] {
  const lines = batches.flatMap((batch) => [
    ...events.filter((event) => event.batch === batch.batch).map(presentSealed),
    presentBatchLine(batch, tenantId),
  ])
  return [...lines, { done: { events: events.length, batches: batches.length, head } }].map((line) =>
    JSON.stringify(line),
  )
}

/** The public keys as `GET /admin/checkpoint-keys` answers them. */
export const jwkSetOf = (...keys: readonly SampleKey[]) => ({
  keys: keys.map(({ publicKey }) => publicKey.export({ format: 'jwk' })),
})

/** A file of checkpoints, as `tenantry events checkpoints` writes it. */
export function checkpointsOf({ batches, tenantId }: SampleLog, ...keys: readonly SampleKey[]): string[] {
  const newestFirst = batches.toReversed().map((batch) => ({ checkpoint: presentCheckpoint(batch, tenantId) }))
  return [jwkSetOf(...keys), ...newestFirst, { done: { checkpoints: batches.length } }].map((line) =>
    JSON.stringify(line),
  )
}
