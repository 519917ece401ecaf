import { setTimeout as pause } from 'node:timers/promises'

/** One process of the service as its clients and its load balancer see it. */
export interface Observer {
  /** The `fetch` for clients: records each answer and its time. */
  readonly fetch: typeof fetch
  /** The answers of `GET /healthz` and `GET /readyz`, without repetitions. */
  readonly liveness: readonly number[]
  readonly readiness: readonly number[]
  /** The number of 5xx answers by code. */
  readonly refusals: Readonly<Record<string, number>>
  /** Requests without an answer. */
  readonly lost: readonly string[]
  /** The slowest answer so far, in milliseconds. */
  readonly slowestMs: number
  /** When writes were acknowledged, by `performance.now()`. */
  readonly writes: readonly number[]
  /** Stops sending: later requests fail as if the service were gone. */
  stop(): void
}

const pollMs = 25

/** Starts polling health and readiness at once. */
export function createObserver(baseUrl: string): Observer {
  const liveness: number[] = []
  const readiness: number[] = []
  const refusals: Record<string, number> = {}
  const lost: string[] = []
  const writes: number[] = []
  let slowestMs = 0
  let stopped = false

  async function answered(ask: () => Promise<Response>, what: string): Promise<Response> {
    const begun = performance.now()
    try {
      return await ask()
    } catch (error) {
      lost.push(`${what}: ${(error as Error).message}`)
      throw error
    } finally {
      slowestMs = Math.max(slowestMs, performance.now() - begun)
    }
  }

  async function poll(path: string, seen: number[]): Promise<void> {
    while (!stopped) {
      const { status } = await answered(() => fetch(baseUrl + path), path)
      if (seen.at(-1) !== status) seen.push(status)
      await pause(pollMs)
    }
  }
  for (const polling of [poll('/healthz', liveness), poll('/readyz', readiness)]) polling.catch(() => {})

  async function observedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    if (stopped) throw new TypeError('The load was stopped')
    const method = init?.method ?? 'GET'
    const response = await answered(() => fetch(input, init), `${method} ${input}`)
    if (response.status >= 500) {
      const { error } = (await response.clone().json()) as { error: { code: string } }
      refusals[error.code] = (refusals[error.code] ?? 0) + 1
    } else if (method !== 'GET' && response.ok) writes.push(performance.now())
    return response
  }

  return {
    fetch: observedFetch,
    liveness,
    readiness,
    refusals,
    lost,
    get slowestMs() {
      return slowestMs
    },
    writes,
    stop() {
      stopped = true
    },
  }
}
