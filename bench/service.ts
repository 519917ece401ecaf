import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { freePort } from '../test/support/free-port.ts'
import { type Child, checkout, startArgumentsIn, startChild } from './child.ts'
import type { People } from './people.ts'
import { postgresRows, type Rows, sqliteRows } from './rows.ts'
import { type Sealer, seedPeople } from './seed.ts'
import { temporaryFolder } from './temporary-folder.ts'
import { adminKey, type BenchTenant, createBenchTenant, untilRead } from './tenant.ts'

/** The service under measurement, with a tenant and its users; `await using` stops it. */
export interface Service extends AsyncDisposable {
  readonly child: Child
  readonly baseUrl: string
  readonly tenant: BenchTenant
  readonly people: People
  readonly rows: Rows
  readonly sealCode: Sealer
  /** The number of messages that have reached the testing channel since the service started. */
  delivered(): Promise<number>
}

/** Which service to start, and what to add to its start. */
interface ServiceOptions extends People {
  /** The folder of the checkout; this one by default. Its own modules seal codes and name the limits. */
  readonly root?: string
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly nodeArguments?: readonly string[]
  /** Set to start from the sources: preloaded modules cannot change the bundle, and profiles of it do not name files. */
  readonly fromSources?: boolean
  /** The database's folder; a new one under the system's temporary folder by default. */
  readonly databaseFolder?: string
  /** An empty PostgreSQL database instead of SQLite. */
  readonly databaseUrl?: string | undefined
}

/** The highest quota. Every request is counted and none is refused. */
const unreachable = '1000000/1s'

const [bundledServer, sources] = ['server/start.js', 'server/main.ts'] as const

/** Starts the service on a new database, SQLite by default, and fills it. */
export async function startService(options: ServiceOptions): Promise<Service> {
  const root = resolve(options.root ?? checkout)
  const { limits, budgets, generateMasterKeys, createKeyring, codeContext } = await modulesOf(root)
  const folder = options.databaseFolder ?? temporaryFolder()
  const path = join(folder, 'tenantry.db')
  const masterKeys = generateMasterKeys(Date.now())
  const port = await freePort()
  const names = Object.keys({ ...limits, ...budgets }).filter((name) => !name.startsWith('sms-'))
  const env = {
    ...options.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    DATABASE_URL: options.databaseUrl ?? `sqlite:${path}`,
    TENANTRY_LIMITS: names.map((name) => `${name}=${unreachable}`).join(','),
    TENANTRY_ENVIRONMENT: 'staging',
    TENANTRY_ADMIN_KEY: adminKey,
    TENANTRY_MASTER_KEYS: masterKeys,
  }
  const words = startArgumentsIn(root).map((word) =>
    options.fromSources ? word.replace(bundledServer, sources) : word,
  )
  const nodeArguments = [...(options.nodeArguments ?? []), ...words]
  const child = await startChild(port, nodeArguments, env, '/healthz', root)
  const stored = options.databaseUrl === undefined ? sqliteRows(path) : await postgresRows(options.databaseUrl)
  const close = async () => {
    await stored.close()
    await child.stop()
  }
  try {
    const baseUrl = `http://127.0.0.1:${port}`
    const tenant = await createBenchTenant(baseUrl)
    const rows: Rows = {
      ...stored,
      async insert(table, added) {
        await stored.insert(table, added)
        await untilRead(baseUrl, tenant)
      },
    }
    const keyring = createKeyring(masterKeys)
    const sealCode: Sealer = (code, { id, scope, recipient }) =>
      keyring.seal(code, codeContext(tenant.tenantId, id, scope, recipient))
    const people = { users: options.users, sessions: Math.min(options.sessions, options.users) }
    await seedPeople({ rows, tenant, people, sealCode })
    const delivered = () => deliveredOf(baseUrl)
    return { child, baseUrl, tenant, people, rows, sealCode, delivered, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

/** Counted by the service after the COMMIT that makes the message readable. */
async function deliveredOf(baseUrl: string): Promise<number> {
  const response = await fetch(`${baseUrl}/metrics`, { headers: { authorization: `Bearer ${adminKey}` } })
  const text = await response.text()
  const sent = /^tenantry_message_attempts_total\{method="email",state="sent"\} (\d+)$/m.exec(text)?.[1]
  if (sent === undefined) throw new Error(`/metrics answered ${response.status} without the number of sent messages`)
  return Number(sent)
}

async function modulesOf(root: string) {
  const load = (path: string) => import(pathToFileURL(join(root, path)).href)
  const { limits, budgets } = (await load('contract/limits.ts')) as typeof import('../contract/limits.ts')
  const { generateMasterKeys } = (await load('server/secrets/master-keys.ts')) as MasterKeys
  const { createKeyring } = (await load('server/secrets/keyring.ts')) as typeof import('../server/secrets/keyring.ts')
  const { codeContext } = (await load('server/otp/otp.ts')) as typeof import('../server/otp/otp.ts')
  return { limits, budgets, generateMasterKeys, createKeyring, codeContext }
}

type MasterKeys = typeof import('../server/secrets/master-keys.ts')
