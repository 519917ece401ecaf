import { setTimeout as pause } from 'node:timers/promises'
import { createNode, startPair } from '../support/standby.ts'
import { until } from '../support/until.ts'
import { type PostgresFixture, type Unacknowledged, withPostgresFixture } from './postgres-fixture.ts'

/** Longer than a process waits before it says that it is not ready. */
const failoverMs = 2_500

/** What clients saw of a database that was away for a while. */
export interface FailoverReport {
  readonly acknowledgedWrites: number
  readonly unacknowledged: Unacknowledged
  /** How often each code of 5xx came. */
  readonly refusals: Readonly<Record<string, number>>
  /** Of any answer, a refusal or not, in milliseconds. */
  readonly slowestAnswerMs: number
  /** From the database's return to the first acknowledged write, of each process, in milliseconds. */
  readonly recoveredMs: readonly number[]
  /** Of each process: what `GET /readyz` answered, repetitions left out. */
  readonly readiness: readonly (readonly number[])[]
}

/** How much is asked of the database before it goes and after it is back. */
export interface FailoverOptions {
  readonly writes: number
  readonly seed: number
}

/**
 * Kills the primary of a synchronous pair under load, promotes the standby, and goes on: nothing acknowledged may be
 * lost, nothing refused with 503 may have happened, and no process may need a restart (threat G05).
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

/** The negative control: the standby of an asynchronous pair has missed writes that were acknowledged. */
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

/** Stops the only server under load for so long, and starts it again (threat G06). Then ends the process with SIGTERM. */
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
        if (code !== 0) throw new Error(`The process ended with ${code}`)
        await running.stop()
        return { ...report(fixture, recoveredMs, await fixture.settle(node)), endedMs }
      },
    )
  } finally {
    await node.remove()
  }
}

/** From now on the database is there again. */
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

/** `npm run campaign -- failover --cycles 10 --count 1000 --seed 7`: so many failovers, each under so many writes. */
export async function runFailovers(options: { cycles: number; count: number; seed: number }): Promise<void> {
  for (let cycle = 0; cycle < options.cycles; cycle++) {
    const load = { writes: options.count, seed: options.seed + cycle }
    process.stdout.write(`failover of seed ${load.seed}: ${describeReport(await failOver(load))}\n`)
  }
  const { endedMs, ...report } = await outage({ writes: options.count, seed: options.seed, downMs: 10_000 })
  process.stdout.write(`10 s without a database: ${describeReport(report)}; SIGTERM ${endedMs.toFixed(0)} ms\n`)
}

/** One line for people. */
export function describeReport(report: FailoverReport): string {
  const { acknowledgedWrites, unacknowledged, refusals, slowestAnswerMs, recoveredMs, readiness } = report
  const told = Object.entries(refusals).map(([code, count]) => `${count} ${code}`)
  return [
    `${acknowledgedWrites} acknowledged writes, none lost`,
    `refused: ${told.join(', ') || 'none'}`,
    `of what was not acknowledged ${unacknowledged.stored} stored, ${unacknowledged.notStored} not`,
    `slowest answer ${slowestAnswerMs.toFixed(0)} ms`,
    `writes again after ${recoveredMs.map((ms) => ms.toFixed(0)).join(' and ')} ms`,
    `/readyz ${readiness.map((seen) => seen.join(' ')).join(' and ')}`,
  ].join('; ')
}
