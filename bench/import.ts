import { join } from 'node:path'
import { createTenantryAdmin, type TenantryAdmin } from '../packages/client/src/admin.ts'
import { ulid } from '../server/core/ids.ts'
import { startPostgres } from '../test/support/databases/postgres-server.ts'
import { type Child, checkout } from './child.ts'
import { delayServer } from './delayed-server.ts'
import { serve } from './filled-database.ts'
import { median, row } from './table.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { adminKey } from './tenant.ts'

interface ImportOptions {
  /** Other checkouts to measure in alternation with this one. */
  readonly folders: readonly string[]
  readonly users: number
  readonly rounds: number
  readonly postgres: boolean
}

/** Each way between a server and PostgreSQL, as between data centers of a region. */
const delayMs = 1

const acts = ['dry run', 'import', 'export'] as const
type Act = (typeof acts)[number]

/** What an act took for all users. */
interface Cost {
  readonly wallMs: number
  readonly processorMs: number
}

/** A server of a checkout, and the costs of each act in the rounds. */
interface Side {
  readonly root: string
  readonly child: Child
  readonly costs: Readonly<Record<Act, Cost[]>>
}

/**
 * `npm run bench -- import [folder …] [--users 2000] [--postgres]`: users with ids, addresses and profiles are checked,
 * imported into a new tenant and exported. PostgreSQL answers a millisecond late, each way.
 */
export async function benchImport({ folders, users, rounds, postgres }: ImportOptions): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const newDatabase = postgres
    ? await postgresDatabases(stack)
    : async () => `sqlite:${join(temporaryFolder(), 'tenantry.db')}`
  const sides: Side[] = []
  for (const root of [checkout, ...folders]) {
    const child = await serve(await newDatabase(), {}, root)
    stack.defer(() => child.stop())
    sides.push({ root, child, costs: { 'dry run': [], import: [], export: [] } })
  }
  for (let round = 0; round <= rounds; round++) {
    for (const { child, costs } of sides) {
      const measured = await measureRound(child, users)
      // The first round warms up.
      if (round > 0) for (const act of acts) costs[act].push(measured[act])
    }
  }
  console.log(`\n${users} users, ${rounds} alternating rounds, medians\n`)
  for (const { root, costs } of sides) {
    console.log(row(root, 'users/s', 'CPU µs'))
    for (const act of acts) {
      const middle = (of: keyof Cost) => median(costs[act].map((cost) => cost[of]))
      const perSecond = users / (middle('wallMs') / 1000)
      console.log(row(`  ${act}`, perSecond.toFixed(0), ((middle('processorMs') * 1000) / users).toFixed(0)))
    }
  }
}

/** A server whose databases answer late. */
async function postgresDatabases(stack: AsyncDisposableStack): Promise<() => Promise<string>> {
  const server = stack.use(await startPostgres())
  const delayed = stack.use(await delayServer(Number(new URL(server.url).port), delayMs))
  return async () => {
    const url = new URL(await server.createDatabase())
    url.port = String(delayed.port)
    return url.href
  }
}

async function measureRound(child: Child, users: number): Promise<Record<Act, Cost>> {
  const admin = createTenantryAdmin({ baseUrl: `http://127.0.0.1:${child.port}`, adminKey })
  const tenant = await newTenant(admin)
  const cost = async (lines: AsyncIterable<object>): Promise<Cost> => {
    const [start, before] = [performance.now(), child.processorMs()]
    for await (const line of lines) if ('error' in line) throw new Error(JSON.stringify(line))
    return { wallMs: performance.now() - start, processorMs: child.processorMs() - before }
  }
  return {
    'dry run': await cost(admin.importUsers(tenant, rowsOf(users), { dryRun: 'true' })),
    import: await cost(admin.importUsers(tenant, rowsOf(users))),
    export: await cost(admin.exportUsers(tenant)),
  }
}

async function newTenant(admin: TenantryAdmin): Promise<{ tenantId: string }> {
  const { id: tenantId } = await admin.createTenant({ name: 'Bench' })
  const components = [
    { name: 'name', type: 'text' as const },
    { name: 'about', type: 'multiline' as const },
  ]
  await admin.publishProfileSchema({ tenantId }, { components })
  return { tenantId }
}

function* rowsOf(users: number) {
  const about = 'x'.repeat(200)
  for (let n = 0; n < users; n++)
    yield { id: ulid(n), email: `user${n}@example.com`, profile: { name: `User ${n}`, about } }
}
