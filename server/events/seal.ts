import { hash, type KeyObject, sign, verify } from 'node:crypto'
import { canonicalJson } from '../core/canonical-json.ts'
import type { QueuedEvent } from './event.ts'
import type { EventBatch } from './sealed-log.ts'

/** The format of the sealed log, version 1: docs/decisions/0042-sealed-event-log.md. Verifiers depend on every byte. */
const version = 'v1'

const sha256 = (data: string | Uint8Array): string => hash('sha256', data, 'base64url')

const bytesOf = (base64url: string): Buffer => Buffer.from(base64url, 'base64url')

/** What the hash of a row covers. `sequence` and `batch` follow from its place, `personal` from the commitment. */
export type HashedEvent = Omit<QueuedEvent, 'personal'>

/**
 * What stands for an event in its batch, as 64 hexadecimal digits: a buffer takes three times as long to make. `public` is
 * embedded as it is stored, because that is canonical JSON.
 */
export function rowHash(event: HashedEvent): string {
  const { id, at, type, actorKind, actorId, subjectKind, subjectId, outcome, requestId, commitment } = event
  const before = JSON.stringify([
    version,
    id,
    at,
    type,
    [actorKind, actorId],
    [subjectKind, subjectId],
    outcome,
    requestId,
  ])
  return hash('sha256', `${before.slice(0, -1)},${event.public},${JSON.stringify(commitment)}]`, 'hex')
}

const concatenated = (rowHashes: readonly string[]): Buffer => Buffer.from(rowHashes.join(''), 'hex')

/** @param rowHashes those of all rows of the batch, in the order of `sequence` */
export const batchRoot = (rowHashes: readonly string[]): string => sha256(concatenated(rowHashes))

/** How the row hashes of a batch are stored: their bytes, in base64url. */
export const joinRowHashes = (rowHashes: readonly string[]): string => concatenated(rowHashes).toString('base64url')

/** The inverse of `joinRowHashes`. A last one that is cut off is returned shorter. */
export const splitRowHashes = (stored: string): string[] =>
  bytesOf(stored)
    .toString('hex')
    .match(/.{1,64}/g) ?? []

/** What the hash of a batch covers, with the log's tenant. */
export type BatchContent = Omit<EventBatch, 'hash' | 'kid' | 'signature'>

export function batchHash(tenantId: string, content: BatchContent): string {
  const { previous, batch, firstSequence, count, sealedAt, root } = content
  return sha256(canonicalJson([version, previous, tenantId, batch, firstSequence, count, sealedAt, root]))
}

/** What the purge of a batch's rows signs. */
interface PurgedBatch {
  readonly batch: number
  readonly hash: string
  readonly kept: number
  readonly purgedAt: number
  /** As stored; null when no row is kept. */
  readonly rowHashes: string | null
}

/** The digest that a purge signs, so that rows deleted without the key are found. */
export function purgeDigest(tenantId: string, { batch, hash, kept, purgedAt, rowHashes }: PurgedBatch): string {
  const hashes = rowHashes === null ? null : sha256(rowHashes)
  return sha256(canonicalJson([version, 'purged', tenantId, batch, hash, kept, purgedAt, hashes]))
}

/** base64url Ed25519 over the bytes of a digest: a batch's hash or a purge's. */
export const signDigest = (digest: string, privateKey: KeyObject): string =>
  sign(null, bytesOf(digest), privateKey).toString('base64url')

/** Accepts the one encoding of a signature only, as base64url leaves bits of its last letter unused. */
export function isSignatureOf(digest: string, signature: string, publicKey: KeyObject): boolean {
  const bytes = bytesOf(signature)
  return bytes.toString('base64url') === signature && verify(null, bytesOf(digest), publicKey, bytes)
}

/** The public half of a checkpoint key. */
export interface PublicCheckpointKey {
  readonly crv: 'Ed25519'
  readonly kty: 'OKP'
  readonly x: string
}

/** The thumbprint of a checkpoint key, which is its `kid` (RFC 7638, RFC 8037). */
export const thumbprint = ({ crv, kty, x }: PublicCheckpointKey): string => sha256(canonicalJson({ crv, kty, x }))
