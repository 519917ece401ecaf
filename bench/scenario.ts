import { type NextRequest, requestBytes } from './load.ts'
import type { References } from './references.ts'
import type { Service } from './service.ts'

/** One operation under load. */
export interface Scenario {
  readonly name: string
  /** The expected status. */
  readonly status: number
  /** The highest number of connections, if it may be less than the bench's. */
  readonly mostConnections?: number
  /** Whether each request sends a message. The round then ends when all have reached the testing channel. */
  readonly sendsMessages?: boolean
  /** The highest number of requests per second that `prepare` must prepare for; only for requests that are used once. */
  readonly mostPerSecond?: number
  /** The requests; `count` of them if each is used once. */
  prepare(count: number): Promise<NextRequest>
  /** The servers to compare to, and what they are sent: `same` as the service, or an equally large request. */
  readonly references: Readonly<Partial<Record<ReferenceName, NextRequest | 'same'>>>
}

export type ReferenceName = Exclude<keyof References, symbol>

/** For operations that the reference server has. */
export const floors = { 'floor FULL': 'same', 'floor NORMAL': 'same' } as const

/** The same request every time. */
export function always(method: string, path: string, headers: Record<string, string>, body?: unknown): NextRequest {
  const request = requestBytes(method, path, headers, body)
  return () => request
}

/** A request to the bare server, as large as the service's and with an equally large response. */
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

/** Length of a response with its envelope, in bytes. */
export const envelopeBytes = (data: unknown): number =>
  Buffer.byteLength(
    JSON.stringify({ meta: { requestId: '01ARZ3NDEKTSV4RRFFQ69G5FAV', timestamp: new Date().toISOString() }, data }),
  )

/** What the scenarios need of a service. */
export type Subject = Pick<Service, 'baseUrl' | 'tenant' | 'people' | 'rows' | 'sealCode'>
