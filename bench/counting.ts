import { join } from 'node:path'
import { systemClock } from '../server/core/clock.ts'
import { ulid } from '../server/core/ids.ts'
import { emptyProfileSchema } from '../server/profiles/schema/define/define-profile-schema.ts'
import { createCounts } from '../server/statistics/counts.ts'
import type { Storage } from '../server/storage/storage.ts'
import { openStorageAt } from '../test/support/databases/open-database.ts'
import { type PostgresServer, startPostgres } from '../test/support/databases/postgres-server.ts'
import { measurePairs, reportPairs, sideOf, titles } from './against.ts'
import { checkout } from './child.ts'
import type { BenchOptions } from './compare.ts'
import { startService } from './service.ts'
import { median, row } from './table.ts'
import { temporaryFolder } from './temporary-folder.ts'

const measured: ReadonlySet<string> = new Set(['challenge', 'profile PATCH'])
const manyTenants = 1_000
const countsPerRound = 1_000_000

/**
 * `npm run bench -- counting [--postgres]`: the time of one count and of writing the counts of 1,000 tenants, then the service
 * beside one that counts nothing, in alternating rounds. A challenge counts a code and a sent message, a PATCH counts nothing.
 */
export async function benchCounting(options: BenchOptions & { readonly postgres: boolean }): Promise<void> {
  await using server = options.postgres ? await startPostgres() : null
  await benchCounts(server, options.rounds)
  const start = async (nodeArguments: string[]) =>
    startService({ ...options, databaseUrl: await server?.createDatabase(), nodeArguments, fromSources: true })
  await using counting = await start([])
  await using uncounted = await start(['--import', join(checkout, 'bench/uncounted.ts')])
  const [here, there] = [await sideOf(counting), await sideOf(uncounted)]
  console.log(`\n${titles('with', 'without')}`)
  for (const [index, { name }] of here.scenarios.entries()) {
    if (!measured.has(name) || !name.includes(options.only)) continue
    reportPairs(name, await measurePairs({ here, there, index, options }))
  }
}

async function benchCounts(server: PostgresServer | null, rounds: number): Promise<void> {
  const url = (await server?.createDatabase()) ?? `sqlite:${join(temporaryFolder(), 'tenantry.db')}`
  const storage = await openStorageAt(url)
  try {
    const ids = await addTenants(storage)
    console.log(row('', 'ns a count', 'ms to write'))
    for (const tenantIds of [ids.slice(0, 1), ids]) {
      const figures = []
      for (let round = 0; round < rounds; round++) figures.push(await countOnce(storage, tenantIds))
      const [add, flush] = [median(figures.map(({ ns }) => ns)), median(figures.map(({ ms }) => ms))]
      const tenants = tenantIds.length === 1 ? '1 tenant' : `${manyTenants} tenants`
      console.log(row(tenants, add.toFixed(0), flush.toFixed(1)))
    }
  } finally {
    await storage.close()
  }
}

async function countOnce(storage: Storage, ids: readonly string[]): Promise<{ ns: number; ms: number }> {
  const counts = createCounts(storage.system.counts, systemClock)
  const begun = performance.now()
  for (let count = 0; count < countsPerRound; count++) counts.add(ids[count % ids.length]!, 'codes')
  const counted = performance.now()
  await counts.flush()
  return { ns: ((counted - begun) * 1e6) / countsPerRound, ms: performance.now() - counted }
}

async function addTenants(storage: Storage): Promise<string[]> {
  const now = Date.now()
  const state = { name: 'Counted', suspended: false, restrictedCapabilities: [], revision: 1 }
  const schema = { ...emptyProfileSchema, migrations: [] }
  const version = { ordinal: 1, schema, publishedAt: now, publishedBy: null }
  const ids = Array.from({ length: manyTenants }, () => ulid(now))
  const add = (id: string) => storage.system.tenants.add({ ...state, id, createdAt: now, updatedAt: now }, {}, version)
  await Promise.all(ids.map(add))
  return ids
}
