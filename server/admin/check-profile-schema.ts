import { setImmediate } from 'node:timers/promises'
import type { checkProfileSchema as operation } from '../../contract/admin-profile-schema.ts'
import type { ProfileMigration } from '../../contract/profile-schema.ts'
import type { Handler } from '../core/handler.ts'
import { compareProfileSchemas, failingFields } from '../profiles/compare-profile-schemas.ts'
import { compileProfileSchema } from '../profiles/compile-profile-schema.ts'
import { migrateProfile } from '../profiles/migrate-profile.ts'
import type { StoredProfile } from '../profiles/profile-store.ts'
import type { Stores } from '../storage/storage.ts'
import type { TenantStore } from '../tenants/tenant.ts'
import { getManagedTenant } from './managed-tenant.ts'
import { requireValidSchema } from './profile-schema.ts'
import { type Publication, planPublication } from './schema-publication.ts'

const pageSize = 100
/** Time before yielding to the event loop: other requests wait at most this long plus one profile. */
const sliceMs = 5

/** `POST /admin/tenants/{t}/profile-schema/check`: what publishing would break, without publishing. */
export const checkProfileSchema: Handler<typeof operation> = async ({ params, body }, { now, refuse }, { storage }) => {
  const candidate = requireValidSchema(body, refuse)
  const { stores } = await getManagedTenant(storage, params.tenantId, refuse)
  const stored = await stores.tenant.configuration()
  if (stored === null) throw refuse('TENANT_NOT_FOUND')
  const publication = await planPublication(candidate, body.version === undefined, stores.tenant, stored, now)
  return {
    changes: compareProfileSchemas(stored.profileSchema.schema, candidate),
    ...(await countFailures(stores, publication, now)),
  }
}

/** Reads every stored profile as if the schema were current, and counts those it would refuse. */
async function countFailures(stores: Stores, publication: Publication, now: number) {
  const compiled = compileProfileSchema(publication.version.schema)
  const migrationsFrom = migrationsTo(publication, stores.tenant)
  const fields = new Map<string, number>()
  let profiles = 0
  let failingProfiles = 0
  for await (const profile of allProfiles(stores)) {
    const values = migrateProfile(profile.values, await migrationsFrom(profile.schemaVersion))
    const failing = failingFields(compiled, values, now)
    profiles++
    if (failing.length > 0) failingProfiles++
    for (const field of failing) fields.set(field, (fields.get(field) ?? 0) + 1)
  }
  return { profiles, failingProfiles, failingFields: Object.fromEntries(fields) }
}

/** Reads page by page, and yields to the event loop after each time slice. */
async function* allProfiles({ profiles }: Stores): AsyncGenerator<StoredProfile> {
  let sliceEnds = performance.now() + sliceMs
  let page: StoredProfile[] = []
  do {
    page = await profiles.list({ limit: pageSize, cursor: page.at(-1)?.id ?? null })
    for (const profile of page) {
      yield profile
      if (performance.now() < sliceEnds) continue
      await setImmediate()
      sliceEnds = performance.now() + sliceMs
    }
  } while (page.length === pageSize)
}

/** The migrations from the version of a profile to the published one; looked up once per version. */
function migrationsTo({ kind, version }: Publication, tenant: TenantStore) {
  const isStored = kind === 'published'
  const known = new Map<string, Promise<ProfileMigration[][]>>()

  async function load(writtenUnder: string): Promise<ProfileMigration[][]> {
    const from = await tenant.findSchema(writtenUnder)
    if (from === null) return []
    const since = await tenant.schemasAfter(from.ordinal)
    const steps = since.filter(({ ordinal }) => ordinal <= version.ordinal).map(({ schema }) => schema.migrations)
    return isStored ? steps : [...steps, version.schema.migrations]
  }

  return (writtenUnder: string): Promise<ProfileMigration[][]> => {
    const migrations = known.get(writtenUnder) ?? load(writtenUnder)
    known.set(writtenUnder, migrations)
    return migrations
  }
}
