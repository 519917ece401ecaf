import { Agent, type ClientRequest, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { Random } from './seeded-random.ts'

/** A request that waits for the others: `POST /otp/resend`. */
export interface Shot {
  readonly line: string
  readonly key?: string
  readonly token?: string
  readonly adminKey?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** What came back. `outcome` is the status of a success and the code of a refusal. */
export interface Hit {
  readonly status: number
  readonly outcome: string
  readonly headers: IncomingHttpHeaders
  // biome-ignore lint/suspicious/noExplicitAny: races look into whatever came back.
  readonly body: any
}

/** Of these chance has no say. */
export interface FiringOptions {
  /** Nothing of any is there before. */
  readonly whole?: boolean
  /** In the order of `shots`. */
  readonly inOrder?: boolean
  /** Within one turn of the event loop. */
  readonly together?: boolean
}

/** A barrier before a service: each request on a connection of its own, open before any is sent. */
export interface Barrier {
  /**
   * Sends them all in a random order; answers in the order of `shots`. Every other time all but the last byte of each is
   * there before, so that the request checks are passed and only the handlers race; and every other time not within one turn of
   * the event loop but within a few, so that late ones meet early ones half way.
   */
  fire(shots: readonly Shot[], random: Random, options?: FiringOptions): Promise<Hit[]>
  close(): void
}

/** @param baseUrls `http://127.0.0.1:4000`; of several processes each is asked in turn */
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

/** Lets the event loop, which client and service share, turn so often. */
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
  // Where opening the connection fails already, nobody waits for the answer yet.
  answer.catch(() => undefined)
  return answer
}

/** How often each outcome came: `{201: 1, OTP_ALREADY_CONSUMED: 63}`. */
export function tally(hits: readonly Hit[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { outcome } of hits) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}
