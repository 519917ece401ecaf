import { performance } from 'node:perf_hooks'
import { exportLines } from '../server/events/log/export-lines.ts'
import { currentKey, sampleLog, trustedKey } from '../server/events/verify/sample-log.testkit.ts'
import { verifyStoredLog } from '../server/events/verify/stored-log.ts'
import { verifyExport } from '../server/events/verify/verify-export.ts'
import { storing } from '../server/storage/suite/sealed-log.testkit.ts'
import { openStorageAt } from '../test/support/databases/open-database.ts'
import { fillPostgres, fillSqlite } from './filled-database.ts'
import type { Rows } from './generated-rows.ts'
import { median, row } from './table.ts'

const tenantId = 'bench'
const batchSize = 1_000

/**
 * `npm run bench -- events-verify [--events 1000000]`: verifies a stored log of that many events, in batches of a thousand,
 * and an export of it that is in memory. Medians of the rounds, in events per second.
 */
export async function benchEventsVerify({ events, rounds }: { events: number; rounds: number }): Promise<void> {
  console.log(row(`\n${events} events`, 'events/s'))
  const rows = logRows(events)
  for (const [engine, fill] of Object.entries({ SQLite: fillSqlite, PostgreSQL: fillPostgres })) {
    const { url, dispose } = await fill(() => rows)
    const storage = await openStorageAt(url)
    try {
      const log = storage.forTenant(tenantId).eventLog
      const stored = () => verifyStoredLog({ log, tenantId, publicKey: trustedKey, fromBatch: 1, onSlice: () => {} })
      console.log(row(engine, (await speedOf(stored, events, rounds)).toFixed(0)))
      if (engine !== 'SQLite') continue
      const lines: string[] = []
      for await (const line of exportLines(log, tenantId, {})) lines.push(JSON.stringify(line))
      const keys = new Map([[currentKey.kid, currentKey.publicKey]])
      const exported = () => verifyExport({ export: { name: 'export', lines: each(lines) }, keys, isComplete: true })
      console.log(row('an export', (await speedOf(exported, events, rounds)).toFixed(0)))
    } finally {
      await storage.close()
      await dispose()
    }
  }
}

async function* each(lines: readonly string[]) {
  yield* lines
}

/** SQL that stores a sealed log, some rows in each statement. */
function logRows(events: number): ReturnType<Rows> {
  const sizes = Array.from({ length: Math.ceil(events / batchSize) }, (_, index) =>
    Math.min(batchSize, events - index * batchSize),
  )
  const log = sampleLog(tenantId, sizes, currentKey)
  const sections = sizes.map((size, index) => log.events.slice(index * batchSize, index * batchSize + size))
  const stored = sections.map((section) => storing(tenantId, { events: section, batches: [] }))
  return [...stored, storing(tenantId, { events: [], batches: log.batches })]
}

async function speedOf(
  verify: () => Promise<{ readonly verified: { readonly events: number }; readonly faultCount: number }>,
  events: number,
  rounds: number,
): Promise<number> {
  const speeds: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    const { verified, faultCount } = await verify()
    if (faultCount > 0 || verified.events !== events) throw new Error(`${verified.events} of ${events} events verify`)
    speeds.push((events / (performance.now() - start)) * 1_000)
  }
  return median(speeds)
}
