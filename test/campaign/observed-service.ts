import { setTimeout as pause } from 'node:timers/promises'

/** One process of the service as its clients and its load balancer see it. */
export interface Observer {
  /** For clients: notes what comes back, and when. */
  readonly fetch: typeof fetch
  /** What `GET /healthz` and `GET /readyz` answered, repetitions left out. */
  readonly liveness: readonly number[]
  readonly readiness: readonly number[]
  /** How often each code of 5xx came. */
  readonly refusals: Readonly<Record<string, number>>
  /** Requests without an answer. */
  readonly lost: readonly string[]
  /** Of any answer so far, in milliseconds. */
  readonly slowestMs: number
  /** When writes were acknowledged, by `performance.now()`. */
  readonly writes: readonly number[]
  /** Sends nothing more: requests that are asked for from now on fail as if the service were gone. */
  stop(): void
}

const pollMs = 25

/** Begins to ask for health and readiness at once. */
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
