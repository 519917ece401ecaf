import { createFailingDisk, type DiskFault } from '../test/support/faults/failing-disk.ts'
import type { BenchOptions } from './compare.ts'
import { drive, type Load, requestBytes } from './load.ts'
import { emailOf, spread } from './people.ts'
import { type Service, startService } from './service.ts'
import { median, row } from './table.ts'
import { temporaryFolder } from './temporary-folder.ts'

/** What happens beside the reads. */
interface Situation {
  readonly name: string
  readonly writes: boolean
  readonly disk: DiskFault
}

const situations: readonly Situation[] = [
  { name: 'no writer', writes: false, disk: 'none' },
  { name: 'one writer', writes: true, disk: 'none' },
  { name: 'one writer, fsync 50 ms slower', writes: true, disk: 'slow fsync' },
]

/**
 * `npm run bench -- slow-disk`: the time of `GET /tenant-configuration` while one connection sends challenges, each of
 * which waits for fsyncs that a preloaded library delays by 50 ms.
 */
export async function benchSlowDisk(options: BenchOptions): Promise<void> {
  const { rounds, seconds, connections } = options
  const folder = temporaryFolder()
  const disk = await createFailingDisk(folder)
  if (typeof disk === 'string') {
    console.log(`reads beside a slow fsync are not measured: ${disk}`)
    return
  }
  await using service = await startService({ ...options, databaseFolder: folder, env: disk.environment })
  console.log(`\n${connections} connections that read, ${rounds} rounds of ${seconds} s each, medians\n`)
  console.log(row('configuration', 'reads/s', 'p50 ms', 'p99 ms', 'writes/s', 'write p50'))
  const measured = situations.map((situation) => ({ situation, results: [] as Reads[] }))
  for (let round = 0; round < rounds; round++) {
    for (const { situation, results } of measured) {
      disk.fail(situation.disk)
      results.push(await readBeside(service, situation, options))
    }
  }
  for (const { situation, results } of measured) report(situation.name, results)
}

/** The reads, and the writes beside them. */
interface Reads {
  readonly reads: Load
  readonly writes: Load | null
}

async function readBeside(
  { child, tenant, people }: Service,
  { writes }: Situation,
  size: BenchOptions,
): Promise<Reads> {
  const { seconds, connections } = size
  const key = { 'x-tenant-key': tenant.tenantKey }
  const read = requestBytes('GET', '/tenant-configuration', key)
  const nextUser = spread(people.users)
  const challenge = () =>
    requestBytes('POST', '/auth/reset-password', key, { step: 'challenge', email: emailOf(nextUser()) })
  const each = { port: child.port, seconds }
  const [reads, beside] = await Promise.all([
    drive({ ...each, connections, expectedStatus: 200, next: () => read }),
    writes ? drive({ ...each, connections: 1, expectedStatus: 201, next: challenge }) : null,
  ])
  return { reads, writes: beside }
}

function report(name: string, results: readonly Reads[]): void {
  const middle = (of: (result: Reads) => number | undefined, digits: number) => {
    const value = median(results.map(of).filter((each) => each !== undefined))
    return Number.isNaN(value) ? '-' : value.toFixed(digits)
  }
  console.log(
    row(
      `  ${name}`,
      middle(({ reads }) => reads.requestsPerSecond, 0),
      middle(({ reads }) => reads.p50, 2),
      middle(({ reads }) => reads.p99, 1),
      middle(({ writes }) => writes?.requestsPerSecond, 0),
      middle(({ writes }) => writes?.p50, 1),
    ),
  )
}
