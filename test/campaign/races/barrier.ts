import { Agent, type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { Random } from '../seeded-random.ts'

/** A request that waits for the others: `POST /otp/resend`. */
export interface Shot {
  readonly line: string
  readonly key?: string
  readonly token?: string
  readonly adminKey?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** An answer. `outcome` is the status of a success or the code of a refusal. */
export interface Hit {
  readonly status: number
  readonly outcome: string
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: races read answers of every shape.
  readonly body: any
}

/** The choices that are usually random, fixed. */
interface FiringOptions {
  /** No part of any request is sent beforehand. */
  readonly whole?: boolean
  /** In the order of `shots`. */
  readonly inOrder?: boolean
  /** Within one turn of the event loop. */
  readonly together?: boolean
}

/** A barrier in front of a service: each request has a separate connection, opened before any request is sent. */
export interface Barrier {
  /**
   * Sends the requests in random order and returns the answers in the order of `shots`. In half of the calls, all but the last
   * byte of each request is sent beforehand, so that only the handlers race. In half of the calls, the requests are spread over a
   * few turns of the event loop instead of one, so that late ones meet early ones in progress.
   */
  fire(shots: readonly Shot[], random: Random, options?: FiringOptions): Promise<Hit[]>
  close(): void
}

/** @param baseUrls `http://127.0.0.1:4000`; several processes receive requests in turn */
export function createBarrier(...baseUrls: string[]): Barrier {
  const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, maxFreeSockets: 512 })

  async function aim(shot: Shot, baseUrl: string, inPieces: boolean) {
    const [method = '', path = ''] = shot.line.split(' ')
    const payload = shot.body === undefined ? null : Buffer.from(JSON.stringify(shot.body))
    const call = httpRequest(baseUrl + path, { agent, method, headers: headersOf(shot, payload) })
    const answer = answerTo(call)
    await connected(call)
    if (!inPieces || payload === null) return { answer, fire: () => call.end(payload ?? undefined) }
    await new Promise<void>((sent) => call.write(payload.subarray(0, -1), () => sent()))
    return { answer, fire: () => call.end(payload.subarray(-1)) }
  }

  return {
    async fire(shots, random, { whole = false, inOrder = false, together = false } = {}) {
      const inPieces = !whole && random.next() < 0.5
      const pace = together ? 0 : random.pick([0, 0, 2, 6])
      const aimed = await Promise.all(
        shots.map((shot, index) => aim(shot, baseUrls[index % baseUrls.length]!, inPieces)),
      )
      if (inPieces) await turns(8)
      for (const { fire } of inOrder ? aimed : random.shuffled(aimed)) {
        if (pace > 0) await turns(random.below(1 + pace))
        fire()
      }
      return Promise.all(aimed.map(({ answer }) => answer))
    },
    close: () => agent.destroy(),
  }
}

/** Waits for a number of turns of the event loop, which client and service share. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await new Promise((turned) => setImmediate(turned))
}

const headersOf = ({ key, token, adminKey, headers }: Shot, payload: Buffer | null): Record<string, string> => ({
  ...(key !== undefined && { 'x-tenant-key': key }),
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(adminKey !== undefined && { authorization: `Bearer ${adminKey}` }),
  ...(payload !== null && { 'content-type': 'application/json', 'content-length': String(payload.length) }),
  ...headers,
})

function connected(call: ClientRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    call.once('error', reject)
    call.once('socket', (socket) => {
      if (socket.connecting) socket.once('connect', resolve)
      else resolve()
    })
  })
}

function answerTo(call: ClientRequest): Promise<Hit> {
  const answer = new Promise<Hit>((resolve, reject) => {
    call.once('error', reject)
    call.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString()
        const body = text === '' ? undefined : JSON.parse(text)
        const status = response.statusCode ?? 0
        resolve({ status, outcome: body?.error?.code ?? String(status), headers: response.headers, body })
      })
    })
  })
  // When the connection fails to open, no code awaits the answer yet.
  answer.catch(() => undefined)
  return answer
}

/** The number of answers by outcome: `{201: 1, OTP_ALREADY_CONSUMED: 63}`. */
export function tally(hits: readonly Hit[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { outcome } of hits) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}
