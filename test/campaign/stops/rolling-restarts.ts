import { setTimeout as pause } from 'node:timers/promises'
import { startPostgres } from '../../support/databases/postgres-server.ts'
import { type ServerProcess, startServer } from '../../support/faults/server-process.ts'
import { freePort } from '../../support/free-port.ts'
import { until } from '../../support/until.ts'
import { unwatched } from '../progress.ts'
import { seededRandom } from '../seeded-random.ts'
import { startHealthCheckingProxy } from './health-checking-proxy.ts'
import { createTally, startClients, type Tally } from './stop-clients.ts'
import { prepareStopRequests, stopSecrets } from './stop-requests.ts'

/** A proxy in front of both servers. */
export interface FrontProxy extends AsyncDisposable {
  readonly baseUrl: string
  /** Resolves when requests are sent to both servers. */
  bothReady(): Promise<void>
}

/** What clients saw; `failed` lists resets, refusals and answers of 500 and above. */
interface RestartReport extends Tally {
  readonly restarts: number
  readonly failed: readonly string[]
}

const clients = 8
const drainSeconds = 1

/** Checks every 100 ms, so a server leaves the rotation long before its drain ends. */
async function startOwnProxy(ports: readonly number[]): Promise<FrontProxy> {
  const proxy = await startHealthCheckingProxy(ports, 100)
  return {
    baseUrl: proxy.baseUrl,
    bothReady: () => until(() => proxy.ready === 2),
    [Symbol.asyncDispose]: () => proxy[Symbol.asyncDispose](),
  }
}

/** Replaces two servers on one database one after the other behind a proxy, while clients send requests through it. */
export async function rollingRestarts(
  restarts: number,
  seed: number,
  { startProxy = startOwnProxy, watch = unwatched } = {},
): Promise<RestartReport> {
  await using postgres = await startPostgres()
  const ports = [await freePort(), await freePort()]
  const databaseUrl = await postgres.createDatabase()
  const start = (index: number) =>
    startServer('', stopSecrets, {
      DATABASE_URL: databaseUrl,
      PORT: String(ports[index]),
      TENANTRY_PUBLIC_URL: 'http://tenantry.test',
      TENANTRY_DRAIN_SECONDS: String(drainSeconds),
    })
  const servers: ServerProcess[] = [await start(0), await start(1)]
  const tally = createTally()
  try {
    await using proxy = await startProxy(ports)
    await proxy.bothReady()
    const requests = await prepareStopRequests(servers[0]!.baseUrl)
    const options = { survivesRefusal: true, thinkMs: 60 }
    const load = startClients(proxy.baseUrl, clients, requests, seededRandom(seed, 'restarts'), tally, options)
    for (let restart = 0; restart < restarts; restart++) {
      const code = await servers[restart % 2]!.end('SIGTERM')
      if (code !== 0) throw new Error(`process exited with ${code}`)
      servers[restart % 2] = await start(restart % 2)
      await proxy.bothReady()
      await pause(100)
      watch(restart + 1, `${tally.answered} answers checked`)
    }
    load.stop()
    await load.done
  } finally {
    for (const { process, end } of servers) if ((process.exitCode ?? process.signalCode) === null) await end('SIGKILL')
  }
  const refusals = Array.from({ length: tally.refused }, () => 'refused')
  const errors = Object.entries(tally.statuses).flatMap(([status, times]) =>
    Number(status) >= 500 ? Array.from({ length: times }, () => status) : [],
  )
  return { ...tally, restarts, failed: [...tally.resets, ...refusals, ...errors] }
}
