import { DatabaseSync } from 'node:sqlite'
import { parseSqliteUrl } from '../../../server/settings/database-settings.ts'
import { onPostgres } from '../../support/databases/open-database.ts'
import type { WireAnswer } from '../../support/http/wire.ts'
import { type IdentityProvider, startIdentityProvider } from '../../support/identity-provider.ts'
import type { CampaignArguments } from '../campaign-options.ts'
import { unwatched, type Watch, withProgress } from '../progress.ts'
import { seededRandom } from '../seeded-random.ts'
import { FuzzConnection, provoke } from './fuzz-connection.ts'
import { type FuzzFixture, openFuzzFixture } from './fuzz-fixture.ts'
import { learnFrom } from './fuzz-learning.ts'
import { judge } from './fuzz-oracle.ts'
import { type FuzzRequest, fuzzRequest } from './fuzz-request.ts'

/** The results of a run. */
interface FuzzReport {
  readonly seed: number
  requests: number
  /** Requests among these with changed bytes, sent on separate connections. */
  broken: number
  readonly statuses: Map<number, number>
  /** The number of answers by `operation CODE`. */
  readonly outcomes: Map<string, number>
  /** Each with the seed, the lane, the request and the answer. */
  readonly failures: string[]
}

/** Each lane has a separate service, clock and random generator, so its requests depend only on its seed. */
const lanes = 4
const enoughFailures = 20

/**
 * Sends `count` generated requests over real sockets and judges every answer. The same seed and count send the same
 * requests, apart from generated ids and keys.
 */
export async function fuzz(seed: number, count: number, watch = unwatched): Promise<FuzzReport> {
  const report: FuzzReport = { seed, requests: 0, broken: 0, statuses: new Map(), outcomes: new Map(), failures: [] }
  const shares = Array.from({ length: lanes }, (_, lane) => Math.floor((count + lane) / lanes))
  await using google = await startIdentityProvider('google')
  await Promise.all(shares.map((share, lane) => runLane({ lane, count: share, report, google, watch })))
  return report
}

interface Lane {
  readonly lane: number
  /** The requests of this lane; the report is of all. */
  readonly count: number
  readonly report: FuzzReport
  readonly google: IdentityProvider
  readonly watch: Watch
}

async function runLane({ lane, count, report, google, watch }: Lane): Promise<void> {
  await using fixture = await openFuzzFixture(lane === 0, google)
  const { service } = fixture
  const connection = new FuzzConnection(service.baseUrl)
  for (let index = 0; index < count && report.failures.length < enoughFailures; index++) {
    const random = seededRandom(report.seed, lane, index)
    const request = fuzzRequest(random, fixture)
    const fail = (answer: WireAnswer | null, why: string) => {
      report.failures.push(describe(report.seed, lane, index, request, answer, why))
    }
    report.requests++
    if (request.isBroken) await runBroken(request, fixture, report, fail)
    else {
      const answer = await connection.ask(request.bytes, request.method)
      if (answer === null) fail(null, 'is missing')
      else check(request, answer, fixture, report, fail)
    }
    if (index % 50 === 49) {
      service.clock.advance(random.pick([0, 1_000, 61_000, 61_000, 120_000]))
      if (index % 100 === 99) await fixture.refill()
      await checkLog(fixture, (why) => fail(null, why))
      watch(report.requests, `${report.outcomes.size} different outcomes, ${report.failures.length} failures`)
    }
  }
  connection.close()
  const problem = onPostgres ? null : checkFile(parseSqliteUrl(service.database.url))
  if (problem !== null) report.failures.push(`seed ${report.seed}, lane ${lane}: ${problem}`)
}

type Fail = (answer: WireAnswer | null, why: string) => void

function check(request: FuzzRequest, answer: WireAnswer, fixture: FuzzFixture, report: FuzzReport, fail: Fail): void {
  count(report.statuses, answer.status)
  const code = answer.status < 400 ? answer.status : (/"code":"([A-Z_]+)"/.exec(answer.text)?.[1] ?? answer.status)
  count(report.outcomes, `${request.operation ?? 'elsewhere'} ${code}`)
  const why = judge(request, answer)
  if (why !== null) fail(answer, why)
  else if (request.operation !== null) learnFrom(request.operation, answer, fixture)
}

async function runBroken(request: FuzzRequest, fixture: FuzzFixture, report: FuzzReport, fail: Fail): Promise<void> {
  report.broken++
  const { answers, closed } = await provoke(fixture.service.baseUrl, request.bytes)
  if (!closed) fail(answers.at(-1) ?? null, 'left its connection open')
  for (const answer of answers) check(request, answer, fixture, report, fail)
}

/** Fails on unexpected log lines, including lines that are not JSON; then empties the log. */
async function checkLog({ service }: FuzzFixture, fail: (why: string) => void): Promise<void> {
  for (const line of service.log.splice(0)) {
    const { level } = JSON.parse(line) as { level: number }
    if (level >= 50) fail(`was logged as an error: ${line.slice(0, 1_500)}`)
  }
}

function checkFile(path: string): string | null {
  const database = new DatabaseSync(path, { readOnly: true })
  const { integrity_check: verdict } = database.prepare('PRAGMA integrity_check').get() as { integrity_check: string }
  database.close()
  return verdict === 'ok' ? null : `the database is damaged: ${verdict}`
}

const count = <K>(counts: Map<K, number>, key: K): void => void counts.set(key, (counts.get(key) ?? 0) + 1)

function describe(
  seed: number,
  lane: number,
  index: number,
  request: FuzzRequest,
  answer: WireAnswer | null,
  why: string,
): string {
  const sent = JSON.stringify(request.bytes.toString('latin1').slice(0, 1_500))
  const came = answer === null ? 'nothing' : `${answer.status} ${answer.text.slice(0, 500)}`
  return `seed ${seed}, lane ${lane}, request ${index} (${request.operation ?? 'elsewhere'}): the answer ${why}\n  sent ${sent}\n  came ${came}`
}

/** `npm run campaign -- fuzz --seed S --count N` */
export async function runFuzz({ seed, count }: CampaignArguments): Promise<void> {
  const started = performance.now()
  const steps = { name: 'fuzz', unit: 'request', total: count }
  const report = await withProgress(steps, ({ watch }) => fuzz(seed, count, watch))
  const seconds = (performance.now() - started) / 1000
  const lines = [
    `fuzz: seed ${seed}, ${report.requests} requests (${report.broken} broken byte by byte) in ${seconds.toFixed(1)} s, ${report.failures.length} failures`,
    `statuses: ${[...report.statuses]
      .sort()
      .map(([status, times]) => `${status}×${times}`)
      .join(' ')}`,
    `outcomes: ${report.outcomes.size} different`,
    ...report.failures,
  ]
  process.stdout.write(`${lines.join('\n')}\n`)
  if (report.failures.length > 0) process.exitCode = 1
}
