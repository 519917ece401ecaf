import { mkdtemp, rm } from 'node:fs/promises'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type ServerProcess, startServer } from '../../support/faults/server-process.ts'
import { unwatched, withProgress } from '../progress.ts'
import { seededRandom } from '../seeded-random.ts'
import { rollingRestarts } from './rolling-restarts.ts'
import { count, createTally, type StopRequest, send, startClients, type Tally } from './stop-clients.ts'
import { prepareStopRequests, stopSecrets } from './stop-requests.ts'

/** The effect on clients of stopping a server under load. */
interface StopReport extends Tally {
  readonly stops: number
  /** The longest time from SIGTERM to the exit of the process, without the drain, in milliseconds. */
  slowestMs: number
}

const clients = 20
const stoppedMs = 80

/**
 * Stops a server repeatedly, with and without a drain, while 20 clients send requests, half of them on keep-alive connections. At every
 * third stop, the process is also suspended for 80 ms while requests arrive. Throws when a process does not exit with 0 in time.
 */
export async function stopOverAndOver(stops: number, seed: number, watch = unwatched): Promise<StopReport> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-stop-'))
  const report: StopReport = { ...createTally(), stops, slowestMs: 0 }
  let server = await startServer(folder, stopSecrets, { TENANTRY_DRAIN_SECONDS: '0' })
  try {
    const requests = await prepareStopRequests(server.baseUrl)
    await endInTime(server, 0, report)
    for (let cycle = 0; cycle < stops; cycle++) {
      const random = seededRandom(seed, 'stop', cycle)
      const drainSeconds = cycle % 2
      server = await startServer(folder, stopSecrets, { TENANTRY_DRAIN_SECONDS: String(drainSeconds) })
      const load = startClients(server.baseUrl, clients, requests, random, report)
      await pause(200 + random.below(300))
      const ended = endInTime(server, drainSeconds, report)
      if (cycle % 3 === 2) {
        await pause(random.below(drainSeconds * 1000 + 20))
        await suspend(server, requests, report)
      }
      await ended
      await load.done
      watch(cycle + 1, `${report.answered} answers checked`)
    }
    return report
  } finally {
    if ((server.process.exitCode ?? server.process.signalCode) === null) await server.end('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

/** Sends 400 sign-ins at once, and SIGTERM 0.3 s later; the drain is the default. */
async function stopAmongSignIns(): Promise<StopReport> {
  const folder = await mkdtemp(join(tmpdir(), 'tenantry-stop-'))
  const report: StopReport = { ...createTally(), stops: 1, slowestMs: 0 }
  const server = await startServer(folder, stopSecrets, { TENANTRY_DRAIN_SECONDS: '5' })
  try {
    const [, , signIn] = await prepareStopRequests(server.baseUrl)
    const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY })
    const signIns = Array.from({ length: 400 }, () => send(server.baseUrl, agent, signIn!))
    await pause(300)
    await endInTime(server, 5, report)
    for (const outcome of await Promise.all(signIns)) count(report, outcome)
    agent.destroy()
    return report
  } finally {
    if ((server.process.exitCode ?? server.process.signalCode) === null) await server.end('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  }
}

/** Suspends the process while 20 requests arrive on separate connections. */
async function suspend(server: ServerProcess, requests: readonly StopRequest[], tally: Tally): Promise<void> {
  server.process.kill('SIGSTOP')
  const agent = new Agent()
  const late = Array.from({ length: clients }, () => send(server.baseUrl, agent, requests[0]!))
  await pause(stoppedMs)
  server.process.kill('SIGCONT')
  for (const outcome of await Promise.all(late)) count(tally, outcome)
}

async function endInTime(server: ServerProcess, drainSeconds: number, report: StopReport): Promise<void> {
  const begun = performance.now()
  const code = await server.end('SIGTERM')
  if (code !== 0) throw new Error(`process exited with ${code}`)
  report.slowestMs = Math.max(report.slowestMs, performance.now() - begun - drainSeconds * 1000)
}

/** `npm run campaign -- stop --cycles 50 --seed 7`: 50 stops, then 50 rolling restarts behind a proxy. */
export async function runStops({ cycles, seed }: { cycles: number; seed: number }): Promise<void> {
  const steps = { name: 'stop', unit: 'stop', total: cycles }
  const stops = await withProgress(steps, ({ watch }) => stopOverAndOver(cycles, seed, watch))
  process.stdout.write(`${cycles} stops of seed ${seed}: ${describeTally(stops)}; `)
  process.stdout.write(`exited within ${stops.slowestMs.toFixed(0)} ms after the drain\n`)
  const signIns = await stopAmongSignIns()
  process.stdout.write(`SIGTERM 0.3 s after 400 sign-ins: ${describeTally(signIns)}\n`)
  const restartSteps = { name: 'stop', unit: 'rolling restart', total: cycles }
  const restarts = await withProgress(restartSteps, ({ watch }) => rollingRestarts(cycles, seed, { watch }))
  process.stdout.write(`${cycles} rolling restarts: ${describeTally(restarts)}\n`)
  if (stops.resets.length + signIns.resets.length + restarts.failed.length > 0) process.exitCode = 1
}

/** The tally as text. */
export function describeTally({ answered, refused, statuses, resets }: Tally): string {
  const byStatus = Object.entries(statuses).map(([status, times]) => `${times} × ${status}`)
  return [
    `${answered} answered (${byStatus.join(', ')}), ${refused} refused before they were sent, ${resets.length} reset`,
    ...new Set(resets),
  ].join('\n  ')
}
