import type { Keyring } from '../server/secrets/keyring.ts'
import type { Storage } from '../server/storage/storage.ts'
import { type NextRequest, requestBytes } from './load.ts'
import type { BenchTenant } from './seed.ts'

/** One line of the table: what the service is asked, and what it is held against. */
export interface Scenario {
  readonly name: string
  /** What the service must answer. */
  readonly status: number
  /** The ratio to reach. */
  readonly target: number | null
  /** The requests; a source that can run dry is made for `count` of them. */
  prepare(count: number): Promise<NextRequest>
  /**
   * `bare`: a request as big to the bare server, which answers as many bytes. `alone`: for what is bound by its hash,
   * that hash by itself; it caps its own concurrency.
   */
  readonly reference: { readonly bare: NextRequest } | { readonly alone: () => Promise<unknown> }
}

/** Everything the scenarios share. */
export interface Bench {
  readonly baseUrl: string
  readonly tenant: BenchTenant
  readonly storage: Storage
  readonly keyring: Keyring
  readonly userIds: readonly string[]
}

/** A request that is always the same. */
export function always(method: string, path: string, headers: Record<string, string>, body?: unknown): NextRequest {
  const request = requestBytes(method, path, headers, body)
  return () => request
}

/** As `always`, to the bare server. */
export const bare = (
  method: string,
  status: number,
  bytes: number,
  headers: Record<string, string>,
  body?: unknown,
): NextRequest => always(method, `/${status}/${bytes}`, headers, body)

/** One request an id, and none twice. */
export function eachOnce(ids: readonly string[], request: (id: string) => Buffer): NextRequest {
  let next = 0
  return () => {
    const id = ids[next++]
    if (id === undefined) throw new Error('The prepared one-time passwords ran out: prepare more')
    return request(id)
  }
}

/** The headers of a signed-in user, one user after the other. */
export const authorized = ({ tenantKey, sessions }: BenchTenant, i: number): Record<string, string> => ({
  'x-tenant-key': tenantKey,
  authorization: `Bearer ${sessions[i % sessions.length]!.accessToken}`,
})

/** Bytes of an answer in its envelope. */
export const envelopeBytes = (data: unknown): number =>
  Buffer.byteLength(
    JSON.stringify({ meta: { requestId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', timestamp: new Date().toISOString() }, data }),
  )
