import type { AuthMethod } from '../../contract/tenants/tenant-configuration.ts'
import { createTenantryAdmin, type TenantryAdmin } from '../../packages/client/src/admin.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { createRequestLog, type RequestLogMode } from '../../server/http/request-log.ts'
import { createClientAddress } from '../../server/limits/client-address.ts'
import { parseLimits } from '../../server/limits/limit-settings.ts'
import { createStoredRateLimiter } from '../../server/limits/stored-rate-limiter.ts'
import { createPasswordHasher } from '../../server/passwords/password-hasher.ts'
import { generateMasterKeys } from '../../server/secrets/master-keys.ts'
import type { ServiceSettings } from '../../server/settings/service-settings.ts'
import { createService, type Service } from '../../server/startup/service.ts'
import { collectSecrets, requireNoSecretRecorded } from './attacks/handed-out-secrets.ts'
import { onPostgres, openTestDatabase } from './databases/open-database.ts'
import type { StorageHooks, TestDatabase } from './databases/test-database.ts'
import { type ManualClock, manualClock } from './manual-clock.ts'
import { recordedLog } from './recorded-log.ts'

/** The whole service on a real socket and a real database, with a clock that the test advances. */
export interface TestService extends AsyncDisposable {
  readonly baseUrl: string
  /** Where `/admin` is served: `baseUrl`, or a second listener with `separateAdmin`. */
  readonly adminUrl: string
  readonly service: Service
  readonly clock: ManualClock
  readonly adminKey: string
  readonly masterKeys: string
  readonly database: TestDatabase
  /** Everything that was logged, by line. */
  readonly log: string[]
  /** A client with the admin key. */
  readonly admin: TenantryAdmin
  /** Creates a tenant with a publishable key. */
  addTenant(options?: { methods?: AuthMethod[]; configuration?: Record<string, unknown> }): Promise<TestTenant>
  /** The code of an OTP from the testing channel, after everything due is delivered. */
  codeOf(otpId: string): Promise<string>
  /** @throws when a recorded event contains a secret that a service on this database handed out or was given */
  close(): Promise<void>
}

/** A tenant with clients that hold its keys. */
export interface TestTenant {
  readonly tenantId: string
  readonly key: string
  readonly secretKey: string
  readonly client: ReturnType<typeof createTenantryClient>
}

/** Settings of a test. Limits are off and the hash is cheap unless given. */
export interface TestServiceOptions extends Partial<ServiceSettings> {
  readonly limitsText?: string
  readonly trustedProxies?: string
  /** Requests are not logged unless given. */
  readonly requestLogMode?: RequestLogMode
  /** Hooks into the storage. */
  readonly hooks?: StorageHooks
  /** The database of another service, to run as a second process beside it; a new one unless given. */
  readonly database?: TestDatabase
  readonly start?: number
  /** Whether events are sealed in the background. Default: only when a test drains `services.events`. */
  readonly sealsEvents?: boolean
}

export const testAdminKey = 'test-admin-key-of-at-least-32-characters'

/** Cheap on purpose; other tests measure the cost of the real hash. */
export const cheapHasher = () => createPasswordHasher({ memoryKiB: 8, passes: 1 })

/** The services on a database that the first of them opened. */
const servicesOn = new WeakMap<TestDatabase, Set<Service>>()

export async function startTestService(options: TestServiceOptions = {}): Promise<TestService> {
  const {
    limitsText = 'all=off',
    trustedProxies = '',
    requestLogMode,
    hooks,
    database: shared,
    start = Date.UTC(2026, 0, 15, 12),
    sealsEvents = false,
    ...settings
  } = options
  const database = shared ?? openTestDatabase()
  if (shared === undefined) servicesOn.set(database, new Set())
  const storage = settings.storage ?? (await database.open(hooks))
  const clock = manualClock(start)
  const masterKeys = settings.masterKeys ?? generateMasterKeys(start)
  const { logger, log } = recordedLog()
  const service = await createService({
    environment: 'development',
    publicUrl: 'http://tenantry.test',
    adminKey: testAdminKey,
    limits: parseLimits(limitsText),
    clientAddress: createClientAddress(trustedProxies),
    retentionDays: 7,
    ...(settings.hashMemoryMiB === undefined && { hasher: cheapHasher() }),
    clock,
    logger,
    ...(requestLogMode && {
      requestLog: createRequestLog({
        mode: requestLogMode,
        write: (lines) => void log.push(...lines.toString('ascii').split(/(?<=\n)/)),
      }),
    }),
    // As in a deployment, PostgreSQL counts in the database and SQLite in the process.
    ...(onPostgres && { limiter: createStoredRateLimiter(storage.system.limitLogs) }),
    // Otherwise a round would run during a test that takes longer than a minute on a busy machine.
    runsHousekeeping: false,
    ...settings,
    storage,
    masterKeys,
  })
  const users = servicesOn.get(database)
  users?.add(service)
  // Otherwise rows would move at any time while a test compares them.
  if (!sealsEvents) await service.services.events.stop()
  const knownSecrets = [testAdminKey, ...masterKeys.split(',').map((key) => key.split(':')[1]!)]
  for (const app of [service.http, service.adminHttp]) if (app !== null) collectSecrets(database, app, knownSecrets)
  const baseUrl = await service.http.listen({ host: '127.0.0.1', port: 0 })
  const adminUrl = (await service.adminHttp?.listen({ host: '127.0.0.1', port: 0 })) ?? baseUrl
  const admin = createTenantryAdmin({ baseUrl: adminUrl, adminKey: testAdminKey })

  async function close(): Promise<void> {
    await service.close()
    try {
      requireNoSecretRecorded(database, log)
    } finally {
      // Another test may empty it from then on.
      if (users?.delete(service) && users.size === 0) await database.release()
    }
  }

  return {
    baseUrl,
    adminUrl,
    service,
    clock,
    adminKey: testAdminKey,
    masterKeys,
    database,
    log,
    admin,
    async addTenant({ methods = ['password', 'otp'], configuration = {} } = {}) {
      const { id: tenantId } = await admin.createTenant({ name: 'Test tenant' })
      await admin.updateConfiguration({ tenantId }, { auth: { methods }, ...configuration })
      const { key } = await admin.createTenantKey({ tenantId }, { name: 'app' })
      const { key: secretKey } = await admin.createTenantKey({ tenantId }, { name: 'back end', kind: 'secret' })
      return { tenantId, key, secretKey, client: createTenantryClient({ baseUrl, tenantKey: key }) }
    },
    async codeOf(otpId) {
      await service.services.delivery.drain()
      const { messages } = await admin.listTestingChannelMessages({ otpId })
      const code = messages.at(-1)?.code
      if (!code) throw new Error(`No code was delivered for ${otpId}`)
      return code
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
