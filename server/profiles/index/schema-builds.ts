import type { FastifyBaseLogger } from 'fastify'
import { BackgroundPass } from '../../core/background-pass.ts'
import type { Clock } from '../../core/clock.ts'
import { isSameRevision, type TenantRevision } from '../../core/same-revision.ts'
import { eachTenant } from '../../core/tenant-pass.ts'
import type { Actor, Fact } from '../../events/event.ts'
import { record } from '../../events/record.ts'
import type { Storage, TenantStorage } from '../../storage/storage.ts'
import type { PublishedVersion, StoredConfiguration, Tenant, TenantStore } from '../../tenants/tenant.ts'
import type { TenantSnapshots } from '../../tenants/tenant-snapshot.ts'
import { type BuildPass, buildIndex } from './build-index.ts'

/** The result of a build. */
interface BuildResult {
  readonly state: 'current' | 'building' | 'failed'
  /** When it failed: the number of values that several users have, by field. */
  readonly duplicates?: Readonly<Record<string, number>>
}

/** The name of this task in logs and metrics. */
export const schemaBuildTask = 'profile_schema_builds'

/** A multiple of the page of a build. */
const progressEvery = 10_000
const cleaningBatch = 500
/** Writers that do not know the current version yet may add entries of an earlier one; they are gone before the second. */
const cleanings = 2

interface SchemaBuildsOptions {
  readonly storage: Storage
  readonly snapshots: TenantSnapshots
  readonly clock: Clock
  readonly logger: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>
  /** Called after each complete pass in which no tenant failed. */
  readonly onSuccess?: () => void
}

/**
 * The background task that indexes profiles for versions with newly unique or searchable fields. Continues the builds of all
 * tenants, also those that a process started that died, and removes index entries that no version needs anymore. Several
 * processes may build the same version: whichever finishes its pass first ends the build.
 */
export class SchemaBuilds {
  readonly #options: SchemaBuildsOptions
  readonly #passes: BackgroundPass
  readonly #builds = new Map<string, Promise<BuildResult>>()
  /** Tenant id → the tenant without a build, and how often its index was cleaned. */
  readonly #done = new Map<string, { readonly tenant: TenantRevision; readonly cleaned: number }>()

  constructor(options: SchemaBuildsOptions) {
    const { storage, logger, onSuccess } = options
    this.#options = options
    this.#passes = new BackgroundPass({
      task: schemaBuildTask,
      pass: () => eachTenant(storage, (tenant) => this.#continue(tenant), this.#done),
      logger,
      ...(onSuccess && { onSuccess }),
    })
  }

  /** Builds a version that was published just now, or joins its build. */
  build(tenantId: string, version: PublishedVersion): Promise<BuildResult> {
    const key = `${tenantId} ${version.ordinal}`
    const started = this.#builds.get(key) ?? this.#build(tenantId, version).finally(() => this.#builds.delete(key))
    this.#builds.set(key, started)
    return started
  }

  /** Starts a pass over all tenants, or another one after the current pass. Does not wait. */
  wake(): void {
    this.#passes.wake()
  }

  /** Runs a full pass. */
  run(): Promise<void> {
    return this.#passes.run()
  }

  /** Ends the current pass after its current batch. */
  async stop(): Promise<void> {
    await Promise.allSettled([this.#passes.stop(), ...this.#builds.values()])
  }

  get #isStopped(): boolean {
    return this.#passes.stopping.aborted
  }

  async #continue(tenant: Tenant): Promise<void> {
    if (this.#isStopped) return
    const known = this.#done.get(tenant.id)
    const cleaned = known !== undefined && isSameRevision(known.tenant, tenant) ? known.cleaned : 0
    if (cleaned >= cleanings) return
    const stores = this.#options.storage.forTenant(tenant.id)
    const stored = await stores.tenant.configuration()
    if (stored === null) return
    if (stored.building !== null) {
      await this.build(tenant.id, stored.building)
      return
    }
    await this.#removeOldEntries(stores)
    this.#done.set(tenant.id, { tenant, cleaned: cleaned + 1 })
  }

  async #removeOldEntries(stores: TenantStorage): Promise<void> {
    let field = await stores.profileIndex.nextField('')
    while (field !== null && !this.#isStopped) {
      // Read after the entry: a version whose entries exist has been stored before.
      const stored = await stores.tenant.configuration()
      if (stored === null) return
      if (!keysOf(stored).has(field)) while (await stores.profileIndex.removeField(field, cleaningBatch));
      field = await stores.profileIndex.nextField(field)
    }
  }

  async #build(tenantId: string, version: PublishedVersion): Promise<BuildResult> {
    const { storage, logger } = this.#options
    const stores = storage.forTenant(tenantId)
    const about = { tenantId, version: version.schema.version }
    const stored = await stores.tenant.configuration()
    if (stored?.building?.ordinal !== version.ordinal) return resultOf(stores, version)
    logger.info(about, 'profile schema build started')
    const pass = await this.#passesOf(stores, { current: stored.profileSchema, building: version }, about)
    if (pass === null) return resultOf(stores, version)
    const { conflicts, duplicates, indexed } = pass
    if (conflicts.length > 0) {
      const failed = factOf('profile_schema.failed', version, { duplicates })
      if (!(await this.#end(tenantId, failed, (tenant, now) => tenant.failBuild(version, conflicts, now)))) {
        return resultOf(stores, version)
      }
      const advice = 'the current version stays; change the values of these users, then publish again'
      logger.warn({ ...about, duplicates }, `profile schema build failed: duplicate values in unique fields; ${advice}`)
      return { state: 'failed', duplicates }
    }
    const built = factOf('profile_schema.built', version)
    if (!(await this.#end(tenantId, built, (tenant, now) => tenant.finishBuild(version, now))))
      return resultOf(stores, version)
    logger.info({ ...about, profiles: indexed }, 'profile schema build completed; the version is current')
    return { state: 'current' }
  }

  /** Ends a build with its event, in one transaction; false when it has ended already. */
  async #end(
    tenantId: string,
    fact: Fact,
    ending: (tenant: TenantStore, now: number) => Promise<boolean>,
  ): Promise<boolean> {
    const { storage, snapshots, clock } = this.#options
    const snapshot = await snapshots.find(tenantId)
    const now = clock.now()
    return storage.forTenant(tenantId).write(async (tx) => {
      if (!(await ending(tx.tenant, now))) return false
      if (snapshot !== null) await record(tx, { now, background: snapshot }, fact)
      return true
    })
  }

  /** A conflict may be with a value that its holder has given up since, so conflicts are looked at again. */
  async #passesOf(
    stores: TenantStorage,
    versions: Parameters<typeof buildIndex>[1],
    about: object,
  ): Promise<BuildPass | null> {
    const onProgress = (profiles: number) => {
      if (profiles % progressEvery !== 0) return
      this.#options.logger.info({ ...about, profiles }, 'profile schema build in progress')
    }
    const isEnded = () => this.#isStopped
    const first = await buildIndex(stores, versions, onProgress, isEnded)
    if (first === null || first.conflicts.length === 0) return first
    const second = await buildIndex(stores, versions, () => {}, isEnded)
    return second && { ...second, indexed: first.indexed }
  }
}

/** Releases before operators had names stored `admin`. */
const publisherOf = ({ publishedBy }: PublishedVersion): Actor =>
  publishedBy === null
    ? { kind: 'system', id: null }
    : { kind: 'operator', id: publishedBy === 'admin' ? 'root' : publishedBy }

const factOf = (
  type: 'profile_schema.built' | 'profile_schema.failed',
  version: PublishedVersion,
  details: object = {},
): Fact => ({
  type,
  subject: { kind: 'profileSchema', id: version.schema.version },
  details: { version: version.schema.version, ...details },
  actor: publisherOf(version),
})

/** The result of a build that another process ended. */
async function resultOf({ tenant }: TenantStorage, { schema, ordinal }: PublishedVersion): Promise<BuildResult> {
  const stored = await tenant.findSchema(schema.version)
  if (stored?.ordinal !== ordinal || stored.state === 'failed') return { state: 'failed' }
  return { state: stored.state === 'building' ? 'building' : 'current' }
}

const keysOf = ({ profileSchema, building }: StoredConfiguration): Set<string> =>
  new Set([profileSchema, building].flatMap((version) => Object.values(version?.indexKeys ?? {})))
