import { setTimeout as pause } from 'node:timers/promises'
import { createNode, startPair } from '../../support/databases/standby.ts'
import { until } from '../../support/until.ts'
import { withProgress } from '../progress.ts'
import { type PostgresFixture, type Unacknowledged, withPostgresFixture } from './postgres-fixture.ts'

/** Longer than a process waits before it reports that it is not ready. */
const failoverMs = 2_500

/** What clients saw while the database was unavailable and after it. */
interface FailoverReport {
  readonly acknowledgedWrites: number
  readonly unacknowledged: Unacknowledged
  /** The number of 5xx answers by code. */
  readonly refusals: Readonly<Record<string, number>>
  /** The slowest answer, refusals included, in milliseconds. */
  readonly slowestAnswerMs: number
  /** The time from the return of the database to the first acknowledged write of each process, in milliseconds. */
  readonly recoveredMs: readonly number[]
  /** The answers of `GET /readyz` of each process, without repetitions. */
  readonly readiness: readonly (readonly number[])[]
}

/** The load before the database goes away and after it is back. */
interface FailoverOptions {
  readonly writes: number
  readonly seed: number
}

/**
 * Kills the primary of a synchronous pair under load, promotes the standby, and continues: no acknowledged write may be
 * lost, no write refused with 503 may be stored, and no process may need a restart (threat G05).
 */
export async function failOver({ writes, seed }: FailoverOptions): Promise<FailoverReport> {
  await using pair = await startPair({ synchronous: true })
  // Awaited here: the pair is removed when this function ends.
  return await withPostgresFixture(pair.url, 2, async (fixture) => {
    const running = fixture.run(seed)
    await fixture.acknowledged(writes)
    await pair.primary.kill()
    await pause(failoverMs)
    await pair.promote()
    const recoveredMs = await goOn(fixture, writes)
    await running.stop()
    return report(fixture, recoveredMs, await fixture.settle(pair.standby))
  })
}

/** The negative control: the standby of an asynchronous pair lacks writes that were acknowledged. */
export async function failOverBehind({ writes, seed }: FailoverOptions): Promise<void> {
  await using pair = await startPair({ synchronous: false })
  await withPostgresFixture(pair.url, 1, async (fixture) => {
    const running = fixture.run(seed)
    await fixture.acknowledged(writes)
    await pair.partStandby()
    await fixture.acknowledged(writes)
    await pair.primary.kill()
    await running.stop()
    await pair.promote()
    await fixture.settle(pair.standby)
  })
}

/** Stops the only server under load for a while, and starts it again (threat G06). Then ends the process with SIGTERM. */
export async function outage({
  writes,
  seed,
  downMs,
}: FailoverOptions & { readonly downMs: number }): Promise<FailoverReport & { readonly endedMs: number }> {
  const node = await createNode()
  try {
    await node.start()
    return await withPostgresFixture(
      `postgres://postgres:postgres@127.0.0.1:${node.port}/postgres`,
      1,
      async (fixture) => {
        const running = fixture.run(seed)
        await fixture.acknowledged(writes)
        await node.stop()
        await pause(downMs)
        await node.start()
        const recoveredMs = await goOn(fixture, writes)
        fixture.assertAlive()
        const begun = performance.now()
        const code = await fixture.servers[0]!.end('SIGTERM')
        const endedMs = performance.now() - begun
        if (code !== 0) throw new Error(`process exited with ${code}`)
        await running.stop()
        return { ...report(fixture, recoveredMs, await fixture.settle(node)), endedMs }
      },
    )
  } finally {
    await node.remove()
  }
}

/** Marks the moment at which the database is available again. */
async function goOn(fixture: PostgresFixture, writes: number): Promise<number[]> {
  const recoveredMs = await fixture.recovered(performance.now())
  await fixture.acknowledged(writes)
  await Promise.all(fixture.observers.map((each) => until(() => each.readiness.at(-1) === 200, 10_000)))
  fixture.assertAlive()
  return recoveredMs
}

function report(fixture: PostgresFixture, recoveredMs: number[], unacknowledged: Unacknowledged): FailoverReport {
  const refusals: Record<string, number> = {}
  for (const observer of fixture.observers) {
    for (const [code, count] of Object.entries(observer.refusals)) refusals[code] = (refusals[code] ?? 0) + count
  }
  return {
    acknowledgedWrites: fixture.load.acknowledged,
    unacknowledged,
    refusals,
    slowestAnswerMs: Math.max(...fixture.observers.map(({ slowestMs }) => slowestMs)),
    recoveredMs,
    readiness: fixture.observers.map(({ readiness }) => readiness),
  }
}

/** `npm run campaign -- failover --cycles 10 --count 1000 --seed 7`: 10 failovers, each under 1,000 writes. */
export async function runFailovers(options: { cycles: number; count: number; seed: number }): Promise<void> {
  const steps = { name: 'failover', unit: 'cycle', total: options.cycles }
  await withProgress(steps, async ({ watch, note }) => {
    let writes = 0
    for (let cycle = 0; cycle < options.cycles; cycle++) {
      const load = { writes: options.count, seed: options.seed + cycle }
      const report = await failOver(load)
      note(`failover of seed ${load.seed}: ${describeReport(report)}`)
      writes += report.acknowledgedWrites
      watch(cycle + 1, `${writes} acknowledged writes checked`)
    }
  })
  const { endedMs, ...report } = await outage({ writes: options.count, seed: options.seed, downMs: 10_000 })
  process.stdout.write(`10 s without a database: ${describeReport(report)}; SIGTERM ${endedMs.toFixed(0)} ms\n`)
}

/** The report as one line. */
export function describeReport(report: FailoverReport): string {
  const { acknowledgedWrites, unacknowledged, refusals, slowestAnswerMs, recoveredMs, readiness } = report
  const refused = Object.entries(refusals).map(([code, count]) => `${count} ${code}`)
  return [
    `${acknowledgedWrites} acknowledged writes, none lost`,
    `refused: ${refused.join(', ') || 'none'}`,
    `unacknowledged writes: ${unacknowledged.stored} stored, ${unacknowledged.notStored} not stored`,
    `slowest answer ${slowestAnswerMs.toFixed(0)} ms`,
    `first writes after ${recoveredMs.map((ms) => ms.toFixed(0)).join(' and ')} ms`,
    `/readyz ${readiness.map((seen) => seen.join(' ')).join(' and ')}`,
  ].join('; ')
}
