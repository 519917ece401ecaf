import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import type { Random } from '../seeded-random.ts'

/** A request as a client sees it: answered in full, refused before it was sent, or reset after that. */
export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly headers: IncomingHttpHeaders }
  | { readonly kind: 'refused' }
  | { readonly kind: 'reset'; readonly error: string }

/** One request. */
export interface StopRequest {
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** Sends one request. Only a connection that could not be opened counts as refused; an answer that is cut off is reset. */
export function send(baseUrl: string, agent: Agent, { method, path, headers, body }: StopRequest): Promise<Outcome> {
  const payload = body === undefined ? undefined : JSON.stringify(body)
  return new Promise((resolve) => {
    const call = httpRequest(baseUrl + path, {
      ...{ agent, method },
      headers: {
        ...headers,
        ...(payload !== undefined && {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(payload)),
        }),
      },
    })
    const failed = ({ code = '', syscall, message }: NodeJS.ErrnoException) =>
      resolve(
        // Reset within its handshake, a connection was not opened, either.
        code === 'ECONNREFUSED' || (code === 'ECONNRESET' && syscall === 'connect')
          ? { kind: 'refused' }
          : {
              kind: 'reset',
              error: `${method} ${path} on a ${call.reusedSocket ? 'reused' : 'new'} connection: ${message}`,
            },
      )
    call.on('error', failed)
    call.on('response', (response) => {
      const { statusCode: status = 0 } = response
      response.on('error', failed).resume()
      response.on('end', () => resolve({ kind: 'answered', status, headers: response.headers }))
    })
    call.end(payload)
  })
}

/** The outcomes that clients saw. */
export interface Tally {
  answered: number
  refused: number
  /** Answers by status. */
  readonly statuses: Record<string, number>
  readonly resets: string[]
}

export const createTally = (): Tally => ({ answered: 0, refused: 0, statuses: {}, resets: [] })

/** Adds an outcome to the tally. */
export function count(tally: Tally, outcome: Outcome): void {
  if (outcome.kind === 'refused') tally.refused++
  else if (outcome.kind === 'reset') tally.resets.push(outcome.error)
  else {
    tally.answered++
    tally.statuses[outcome.status] = (tally.statuses[outcome.status] ?? 0) + 1
  }
}

/** Clients that send one request after the other. */
interface LoopingClients {
  /** Resolves when every client has stopped. */
  readonly done: Promise<void>
  stop(): void
}

/**
 * Starts clients on a server: half of them open a connection for each request, the others keep theirs. A client stops
 * when it is refused, unless `survivesRefusal`.
 */
export function startClients(
  baseUrl: string,
  clients: number,
  requests: readonly StopRequest[],
  random: Random,
  tally: Tally,
  { survivesRefusal = false, thinkMs = 0 } = {},
): LoopingClients {
  let isStopped = false

  async function run(index: number): Promise<void> {
    const agent = new Agent({ keepAlive: index % 2 === 1, maxSockets: 1 })
    while (!isStopped) {
      const outcome = await send(baseUrl, agent, random.pick(requests))
      count(tally, outcome)
      if (outcome.kind === 'refused' && !survivesRefusal) break
      if (thinkMs > 0) await new Promise((resolve) => setTimeout(resolve, random.below(thinkMs)))
    }
    agent.destroy()
  }

  return {
    done: Promise.all(Array.from({ length: clients }, (_, index) => run(index))).then(() => undefined),
    stop() {
      isStopped = true
    },
  }
}
