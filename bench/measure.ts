import { setTimeout as sleep } from 'node:timers/promises'
import type { Child } from './child.ts'
import { drive, type NextRequest } from './load.ts'
import type { Scenario } from './scenario.ts'
import { median } from './table.ts'

/** The size of every round. */
export interface RoundSize {
  readonly connections: number
  readonly seconds: number
}

/** A server under measurement. */
export interface Target {
  readonly child: Child
  /** The number of messages that have reached the testing channel; without it, messages are there when answered. */
  delivered?(): Promise<number>
}

/** The figures of one round. */
export interface Round {
  /** Until the last message has arrived. */
  readonly requestsPerSecond: number
  /** Processor time of the server per request, in microseconds. */
  readonly cpuMicros: number
  /** Of the answers, in milliseconds. */
  readonly p50: number
  readonly p99: number
}

const pollMs = 20
/** Without a further message for this long, the round fails. */
const stalledMs = 30_000

/** Drives one server for one round. */
export async function measureRound(
  { child, delivered }: Target,
  scenario: Scenario,
  next: NextRequest,
  { connections, seconds }: RoundSize,
): Promise<Round> {
  const countDelivered = scenario.sendsMessages ? delivered : undefined
  const deliveredBefore = (await countDelivered?.()) ?? 0
  const cpuBefore = child.processorMs()
  const start = performance.now()
  const load = await drive({
    ...{ port: child.port, seconds, next, expectedStatus: scenario.status },
    connections: connectionsOf(scenario, connections),
  })
  if (countDelivered) await untilDelivered(countDelivered, deliveredBefore + load.requests)
  return {
    requestsPerSecond: load.requests / ((performance.now() - start) / 1000),
    cpuMicros: ((child.processorMs() - cpuBefore) * 1000) / load.requests,
    p50: load.p50,
    p99: load.p99,
  }
}

async function untilDelivered(delivered: () => Promise<number>, expected: number): Promise<void> {
  let latest = 0
  let since = performance.now()
  for (;;) {
    const now = await delivered()
    if (now >= expected) return
    if (now > latest) since = performance.now()
    latest = now
    if (performance.now() - since > stalledMs) throw new Error(`${expected - now} messages were not delivered`)
    await sleep(pollMs)
  }
}

const connectionsOf = ({ mostConnections = Number.POSITIVE_INFINITY }: Scenario, connections: number): number =>
  Math.min(mostConnections, connections)

/** The requests of one round; enough of them for rounds that are shorter than a request, too. */
export const prepareRound = (scenario: Scenario, { connections, seconds }: RoundSize): Promise<NextRequest> =>
  scenario.prepare(2 * connections + Math.ceil(seconds * (scenario.mostPerSecond ?? 0)))

/** The medians of several rounds. */
export const medianRound = (rounds: readonly Round[]): Round => ({
  requestsPerSecond: median(rounds.map((round) => round.requestsPerSecond)),
  cpuMicros: median(rounds.map((round) => round.cpuMicros)),
  p50: median(rounds.map((round) => round.p50)),
  p99: median(rounds.map((round) => round.p99)),
})

/** By how much the slowest round is slower than the fastest, 0 to 1. */
export function spreadOf(rounds: readonly Round[]): number {
  const speeds = rounds.map(({ requestsPerSecond }) => requestsPerSecond)
  return 1 - Math.min(...speeds) / Math.max(...speeds)
}

const mostSpread = 1 / 3

/** Fails when rounds of one server differ by more than a third, because figures of a busy machine mislead. */
export function requireQuiet(scenario: string, rounds: ReadonlyMap<string, readonly Round[]>): void {
  for (const [server, ofServer] of rounds) {
    const spread = spreadOf(ofServer)
    if (spread <= mostSpread) continue
    const percent = Math.round(spread * 100)
    throw new NotQuiet(
      `${scenario}: the slowest round of ${server} is ${percent} % slower than its fastest, more than a third; no figures are reported. Repeat the run on a quiet machine, or with longer rounds.`,
    )
  }
}

/** The machine is too busy for figures. */
export class NotQuiet extends Error {
  override name = 'NotQuiet'
}
