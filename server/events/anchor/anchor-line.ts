import { type KeyObject, verify } from 'node:crypto'
import { deployment } from '../../core/deployment.ts'
import type { PublicKeys } from '../verify/public-keys.ts'
import type { ExpectedBatch } from '../verify/verify-log.ts'

/**
 * The heads of logs in the form of Standard Webhooks (https://www.standardwebhooks.com): the headers of a message, and its
 * body as it was signed. A file of anchors has one on each line.
 */
export interface AnchorLine {
  readonly 'webhook-id': string
  /** Seconds since 1970. */
  readonly 'webhook-timestamp': string
  /** `v1a,` and the base64 of an Ed25519 signature. */
  readonly 'webhook-signature': string
  readonly body: string
}

/** The body of an anchor. */
interface AnchorBody {
  readonly type: 'events.heads'
  /** ISO 8601. */
  readonly timestamp: string
  readonly data: {
    /** The checkpoint key of the signature. */
    readonly kid: string
    readonly heads: readonly AnchoredHead[]
  }
}

interface AnchoredHead {
  /** null for the log of the deployment. */
  readonly tenantId: string | null
  readonly batch: number
  readonly sequence: number
  readonly hash: string
}

/** @param sign Ed25519 over bytes */
export function signedAnchor(
  id: string,
  seconds: number,
  body: AnchorBody,
  sign: (bytes: Buffer) => Buffer,
): AnchorLine {
  const text = JSON.stringify(body)
  const signature = sign(signedBytes(id, String(seconds), text)).toString('base64')
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1a,${signature}`, body: text }
}

const signedBytes = (id: string, timestamp: string, body: string): Buffer => Buffer.from(`${id}.${timestamp}.${body}`)

/**
 * What a file of anchors says of one log. A line that broke off says nothing: the disk was full, or the server died.
 * @param tenantId the id that the hashes cover
 * @throws Error that names the line: it is not an anchor, or its signature does not hold
 */
export async function readAnchors(
  lines: AsyncIterable<string>,
  { name, tenantId, keys }: { readonly name: string; readonly tenantId: string; readonly keys: PublicKeys },
): Promise<ExpectedBatch[]> {
  const found = new Map<string, ExpectedBatch>()
  let number = 0
  for await (const line of lines) {
    number++
    if (isCutOff(line)) continue
    const { timestamp, data } = openAnchor(line, `${name}: line ${number}`, keys)
    const head = data.heads.find((one) => (one.tenantId ?? deployment) === tenantId)
    // A log without events has the head 0.
    if (head === undefined || head.batch === 0) continue
    const { batch, hash } = head
    // A log that did not grow is anchored many times.
    if (!found.has(`${batch} ${hash}`))
      found.set(`${batch} ${hash}`, { batch, hash, source: `the anchor of ${timestamp}` })
  }
  return [...found.values()]
}

const lineStart = '{"webhook-id":"'

function isCutOff(line: string): boolean {
  if (!line.startsWith(lineStart)) return lineStart.startsWith(line)
  try {
    JSON.parse(line)
    return false
  } catch {
    return true
  }
}

function openAnchor(line: string, place: string, keys: PublicKeys): AnchorBody {
  let anchor: AnchorLine
  let body: AnchorBody
  try {
    anchor = JSON.parse(line)
    body = JSON.parse(anchor.body)
  } catch {
    throw new Error(`${place}: not an anchor`)
  }
  const key = keys.get(body?.data?.kid)
  if (body?.type !== 'events.heads' || !Array.isArray(body.data?.heads)) throw new Error(`${place}: not an anchor`)
  if (key === undefined) throw new Error(`${place}: signed with a checkpoint key that is not among the trusted keys`)
  if (!isSigned(anchor, key)) throw new Error(`${place}: the signature does not hold`)
  return body
}

function isSigned(anchor: AnchorLine, key: KeyObject): boolean {
  const [version, signature = ''] = String(anchor['webhook-signature']).split(',')
  if (version !== 'v1a') return false
  const signed = signedBytes(anchor['webhook-id'], anchor['webhook-timestamp'], anchor.body)
  return verify(null, signed, key, Buffer.from(signature, 'base64'))
}
