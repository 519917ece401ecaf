import type { Keyring } from '../server/secrets/keyring.ts'
import type { Storage } from '../server/storage/storage.ts'
import { type NextRequest, requestBytes } from './load.ts'
import type { BenchTenant } from './seed.ts'

/** One line of the table: a request to the service, and the baseline. */
export interface Scenario {
  readonly name: string
  /** The expected status. */
  readonly status: number
  /** The target ratio. */
  readonly target: number | null
  /** The requests; a limited source is prepared for `count` of them. */
  prepare(count: number): Promise<NextRequest>
  /**
   * `bare`: an equally large request to the bare server with an equally large response. `alone`: for operations dominated by
   * a password hash, that hash alone; it limits its own concurrency.
   */
  readonly reference: { readonly bare: NextRequest } | { readonly alone: () => Promise<unknown> }
}

/** The shared data of all scenarios. */
export interface Bench {
  readonly baseUrl: string
  readonly tenant: BenchTenant
  readonly storage: Storage
  readonly keyring: Keyring
  readonly userIds: readonly string[]
}

/** The same request every time. */
export function always(method: string, path: string, headers: Record<string, string>, body?: unknown): NextRequest {
  const request = requestBytes(method, path, headers, body)
  return () => request
}

/** Like `always`, for the bare server. */
export const bare = (
  method: string,
  status: number,
  bytes: number,
  headers: Record<string, string>,
  body?: unknown,
): NextRequest => always(method, `/${status}/${bytes}`, headers, body)

/** One request per id. */
export function eachOnce(ids: readonly string[], request: (id: string) => Buffer): NextRequest {
  let next = 0
  return () => {
    const id = ids[next++]
    if (id === undefined) throw new Error('no prepared one-time passwords left; prepare more')
    return request(id)
  }
}

/** The headers of signed-in users in turn. */
export const authorized = ({ tenantKey, sessions }: BenchTenant, i: number): Record<string, string> => ({
  'x-tenant-key': tenantKey,
  authorization: `Bearer ${sessions[i % sessions.length]!.accessToken}`,
})

/** Length of a response with its envelope, in bytes. */
export const envelopeBytes = (data: unknown): number =>
  Buffer.byteLength(
    JSON.stringify({ meta: { requestId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', timestamp: new Date().toISOString() }, data }),
  )
