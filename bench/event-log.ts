import { get } from 'node:http'
import type { Child } from './child.ts'
import { eventAt, eventRows, rareType, sealedAt, userAt } from './event-rows.ts'
import { fillPostgres, fillSqlite, measurePages, serve } from './filled-database.ts'
import { tenantId } from './generated-rows.ts'
import { row } from './table.ts'
import { adminKey } from './tenant.ts'

/** Different requests of each list, so that they read different pages of the index. */
const samples = 100
const log = `/admin/tenants/${tenantId}/events`
const cursorAt = (sequence: number) => Buffer.from(eventAt(sequence)).toString('base64url')

/** The lists by what they filter, each as a function of the sample. */
const listsOf = (events: number): Readonly<Record<string, (sample: number) => Record<string, string>>> => {
  // From anywhere in the log.
  const somewhere = (sample: number) => ({ cursor: cursorAt(Math.ceil((events * (sample + 1)) / samples)) })
  return {
    unfiltered: () => ({}),
    'unfiltered, later': somewhere,
    'by actor': (sample) => ({ actor: userAt(sample * 997) }),
    'by subject': (sample) => ({ subject: userAt(sample * 997) }),
    'by subject, type': (sample) => ({ subject: userAt(sample * 997), type: 'session.*' }),
    'by type, prefix': (sample) => ({ type: 'session.*', ...somewhere(sample) }),
    'by outcome': (sample) => ({ outcome: 'refused', ...somewhere(sample) }),
    'by rare type, 20,000 rows': (sample) => ({ type: rareType, ...somewhere(sample) }),
  }
}

/**
 * `npm run bench -- event-log`: lists a sealed log of this many events (`--events`), pages of 50, one request at a time, and
 * exports up to a million of them. `--only PostgreSQL` leaves out the other engine.
 */
export async function benchEventLog(options: {
  events: number
  rounds: number
  seconds: number
  only: string
}): Promise<void> {
  const { events, rounds, seconds, only } = options
  console.log(`\none connection, ${rounds} rounds of ${seconds} s each, medians of p50 and p99 in ms`)
  for (const [engine, fill] of Object.entries({ SQLite: fillSqlite, PostgreSQL: fillPostgres })) {
    if (!engine.includes(only)) continue
    console.log(row(`\n${engine}, ${events} events`, 'p50', 'p99'))
    const { url, dispose } = await fill(eventRows(events))
    const child = await serve(url)
    try {
      for (const [list, queryOf] of Object.entries(listsOf(events))) {
        const paths = Array.from({ length: samples }, (_, sample) => `${log}?${new URLSearchParams(queryOf(sample))}`)
        const { p50, p99 } = await measurePages(child, paths, rounds, seconds)
        console.log(row(list, ...[p50, p99].map((cell) => cell.toFixed(1))))
      }
      await reportExport(child, events)
    } finally {
      await child.stop()
      await dispose()
    }
  }
}

async function reportExport(child: Child, events: number): Promise<void> {
  const query = new URLSearchParams({ until: new Date(sealedAt(1_001)).toISOString() })
  // The first one grows the heap for good.
  for (const name of ['export, first', 'export, again']) {
    const before = child.residentMiB()
    let most = before
    const sampling = setInterval(() => (most = Math.max(most, child.residentMiB())), 20)
    const start = performance.now()
    const lines = await readLines(child.port, `${log}/export?${query}`)
    clearInterval(sampling)
    const perSecond = (lines / (performance.now() - start)) * 1_000
    const expected = Math.min(events, 1_000_000)
    if (lines < expected) throw new Error(`${lines} lines of ${expected} events`)
    console.log(row(name, perSecond.toFixed(0), (most - before).toFixed(1)), ' lines/s, MiB')
  }
}

function readLines(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    get({ port, path, headers: { authorization: `Bearer ${adminKey}` } }, (answer) => {
      let lines = 0
      answer.on('data', (bytes: Buffer) => {
        for (const byte of bytes) if (byte === 10) lines++
      })
      answer.on('end', () => resolve(lines)).on('error', reject)
    }).on('error', reject)
  })
}
