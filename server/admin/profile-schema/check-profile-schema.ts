import type { checkProfileSchema as operation } from '../../../contract/admin/profile-schema.ts'
import type { ProfileMigration } from '../../../contract/profile-schema.ts'
import { isGranted } from '../../../contract/scopes.ts'
import type { Handler } from '../../core/handler.ts'
import { type CandidateMigrations, checkStoredProfiles } from '../../profiles/check-stored-profiles.ts'
import { compareProfileSchemas } from '../../profiles/schema/compare-profile-schemas.ts'
import { compileProfileSchema } from '../../profiles/schema/compile-profile-schema.ts'
import { untranslatedTexts } from '../../profiles/schema/untranslated-texts.ts'
import { schemaWarnings } from '../../profiles/schema/warnings/schema-warnings.ts'
import type { Stores } from '../../storage/storage.ts'
import type { StoredConfiguration, TenantStore } from '../../tenants/tenant.ts'
import { getManagedTenant } from '../managed-tenant.ts'
import { requireValidSchema } from './profile-schema.ts'
import { type Publication, planPublication } from './schema-publication.ts'

/** Time between two log lines of a check. */
const progressMs = 5_000
/** Ids that one statement reads to count profiles; it takes a few milliseconds. */
const countedAtOnce = 2_000

/**
 * `POST /admin/tenants/{t}/profile-schema/check`: what publishing would break, without publishing. Ends when the client has
 * gone, or the service stops.
 */
export const checkProfileSchema: Handler<typeof operation> = async (
  { params: { tenantId }, body },
  call,
  { storage, logger, stopping },
) => {
  const { now, refuse, gone, operator } = call
  const candidate = requireValidSchema(body, refuse)
  const { stores } = await getManagedTenant(storage, tenantId, refuse)
  const stored = await stores.tenant.configuration()
  if (stored === null) throw refuse('TENANT_NOT_FOUND')
  const publication = await planPublication(candidate, body.version === undefined, stores.tenant, stored, call)
  const check = () => {
    const ends = AbortSignal.any([gone(), stopping])
    const logProgress = progressLog(stores, (progress) =>
      logger.info({ tenantId, ...progress }, 'checking profiles against a schema'),
    )
    return checkStoredProfiles(stores, compileProfileSchema(publication.version.schema), {
      now,
      migrationsFrom: migrationsTo(publication, stores.tenant),
      async onPage(profiles) {
        if (ends.aborted) throw refuse('SERVICE_UNAVAILABLE')
        await logProgress(profiles)
      },
    })
  }
  const checked = isGranted(operator.scopes, 'profiles:read') ? await check() : notChecked
  const { schema: current, ordinal } = stored.profileSchema
  const effect = effectOf(publication, stored)
  // The current version stays as it is when it, or an earlier one, is published again; its migrations have been applied.
  const changes = publication.version.ordinal <= ordinal ? [] : compareProfileSchemas(current, candidate)
  return {
    effect,
    changes,
    ...checked,
    untranslated: untranslatedTexts(candidate),
    warnings: schemaWarnings(candidate),
  }
}

function effectOf({ kind, version }: Publication, { profileSchema, building }: StoredConfiguration) {
  if (kind === 'new' && building !== null) return 'waiting'
  if (kind !== 'published') return kind
  return [profileSchema, building].some((one) => one?.ordinal === version.ordinal) ? 'unchanged' : 'superseded'
}

/** Conditions of a candidate can single out one user and ask for any value, which the counts would answer. */
const notChecked = { profiles: null, failingProfiles: null, failingFields: null, uncastable: null, duplicates: null }

/** Logs from time to time how many profiles are checked of how many; they are counted for the first line. */
function progressLog({ profiles }: Stores, log: (progress: { checked: number; profiles: number }) => void) {
  let next = performance.now() + progressMs
  let all: number | undefined
  return async (checked: number): Promise<void> => {
    if (performance.now() < next) return
    all ??= await profiles.count(countedAtOnce)
    // Profiles are added meanwhile.
    log({ checked, profiles: Math.max(all, checked) })
    next = performance.now() + progressMs
  }
}

/** The migrations from the version of a profile to the candidate; looked up once per version. */
function migrationsTo({ kind, version }: Publication, tenant: TenantStore) {
  const known = new Map<string, CandidateMigrations>()

  async function load(writtenUnder: string): Promise<CandidateMigrations> {
    const from = await tenant.findSchema(writtenUnder)
    if (from === null) return { published: [], own: [] }
    const published: (readonly ProfileMigration[])[] = []
    // A profile of the candidate's own version, or of a later one, has gone through its migrations.
    let isBehind = kind !== 'published'
    for await (const { ordinal, schema } of tenant.schemasAfter(from.ordinal)) {
      if (ordinal > version.ordinal) break
      if (schema.version === version.schema.version) isBehind = true
      else published.push(schema.migrations)
    }
    return { published, own: isBehind ? version.schema.migrations : [] }
  }

  return async (writtenUnder: string): Promise<CandidateMigrations> => {
    const migrations = known.get(writtenUnder) ?? (await load(writtenUnder))
    known.set(writtenUnder, migrations)
    return migrations
  }
}
