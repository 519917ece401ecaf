import type * as operations from '../../../contract/admin/profile-schema.ts'
import type { ProfileSchemaState } from '../../../contract/admin/profile-schema.ts'
import type { ProfileSchemaInput, StoredProfileSchema } from '../../../contract/profile-schema.ts'
import type { Handler } from '../../core/handler.ts'
import type { Refuse } from '../../core/service-error.ts'
import type { Fact } from '../../events/event.ts'
import { record } from '../../events/record.ts'
import { needsBuild } from '../../profiles/index/index-keys.ts'
import { compareProfileSchemas } from '../../profiles/schema/compare-profile-schemas.ts'
import { defineProfileSchema } from '../../profiles/schema/define/define-profile-schema.ts'
import { schemaWarnings } from '../../profiles/schema/warnings/schema-warnings.ts'
import { WriteConflict } from '../../storage/storage.ts'
import type { PublishedVersion, StoredConfiguration } from '../../tenants/tenant.ts'
import { getManagedTenant } from '../managed-tenant.ts'
import { planPublication } from './schema-publication.ts'

/** `GET /admin/tenants/{t}/profile-schema`: the current version, or the requested one. */
export const readProfileSchema: Handler<typeof operations.readProfileSchema> = async (
  { params, query: { version } },
  { refuse },
  { storage },
) => {
  const { stores } = await getManagedTenant(storage, params.tenantId, refuse)
  const published =
    version === undefined
      ? (await stores.tenant.configuration())?.profileSchema
      : await stores.tenant.findSchema(version)
  if (!published) throw refuse('PROFILE_SCHEMA_VERSION_NOT_FOUND')
  return { data: published.schema, revision: published.ordinal }
}

/** The most stored profiles that a publication reads before it answers. */
const profilesReadAtOnce = 2_000

/**
 * `PUT /admin/tenants/{t}/profile-schema`: makes a new schema current. Decided and stored at one revision: of two
 * concurrent publications the later one sees the earlier. A schema with newly unique or searchable fields becomes current
 * when stored profiles are indexed: before the answer if there are few, otherwise in the background.
 */
export const publishProfileSchema: Handler<typeof operations.publishProfileSchema> = async (
  { params: { tenantId }, query, body, expectedRevision },
  call,
  { storage, logger, schemaBuilds },
) => {
  const { now, refuse } = call
  const schema = requireValidSchema(body, refuse)
  const { stores } = await getManagedTenant(storage, tenantId, refuse)
  const { version, state, before } = await stores.write(async (tx) => {
    const stored = await tx.tenant.configuration()
    if (stored === null) throw refuse('TENANT_NOT_FOUND')
    const before = stored.profileSchema.ordinal
    const { kind, version } = await planPublication(schema, body.version === undefined, tx.tenant, stored, call)
    if (kind === 'published') return { version, state: stateOf(version, stored), before }
    // The write below fails if the tenant changes after this. A build that has not ended is named first.
    if (stored.building === null && expectedRevision?.(before) === false) throw refuse('PRECONDITION_FAILED')
    if (kind === 'taken') throw refuse('PROFILE_SCHEMA_VERSION_EXISTS')
    if (stored.building !== null) throw refuse('PROFILE_SCHEMA_BUILDING')
    if (kind === 'new' && query.ifBreaking === 'refuse') {
      const changes = compareProfileSchemas(stored.profileSchema.schema, schema)
      if (changes.length > 0) {
        logger.warn({ tenantId, changes }, 'profile schema refused; it has breaking changes')
        throw refuse('PROFILE_SCHEMA_BREAKING')
      }
    }
    const isStored = needsBuild(version)
      ? await tx.tenant.startBuild(version, stored.revision, now)
      : await tx.tenant.publishSchema(version, stored.revision, now)
    if (!isStored) throw new WriteConflict('The tenant changed between reading and writing its profile schema')
    const state = needsBuild(version) ? ('building' as const) : ('current' as const)
    await record(tx, call, published(version, state))
    return { version, state: state === 'building' ? ('started' as const) : state, before }
  })
  // The process that built it may have died; housekeeping would notice within a minute.
  if (state === 'building') schemaBuilds.wake()
  if (state !== 'started') return answerOf(version, { state }, before)
  if ((await stores.profiles.countUpTo(profilesReadAtOnce + 1)) > profilesReadAtOnce) {
    schemaBuilds.wake()
    return answerOf(version, { state: 'building' }, before)
  }
  return answerOf(version, await schemaBuilds.build(tenantId, version), before)
}

/** The published version with its revision; after a build that failed, the revision `before` is still current. */
const answerOf = <R extends { readonly state: ProfileSchemaState }>(
  { schema, ordinal }: PublishedVersion,
  result: R,
  before: number,
) => ({
  data: { ...schema, ...result, warnings: schemaWarnings(schema) },
  revision: result.state === 'failed' ? before : ordinal,
})

const published = ({ schema }: PublishedVersion, state: 'building' | 'current'): Fact => ({
  type: 'profile_schema.published',
  subject: { kind: 'profileSchema', id: schema.version },
  details: { version: schema.version, state },
})

function stateOf(
  { ordinal }: PublishedVersion,
  { profileSchema, building }: StoredConfiguration,
): 'building' | 'current' | 'superseded' {
  if (ordinal === building?.ordinal) return 'building'
  return ordinal === profileSchema.ordinal ? 'current' : 'superseded'
}

/** The normalised schema, or a refusal with all its problems. Numbering assigns a missing version later. */
export function requireValidSchema(body: ProfileSchemaInput, refuse: Refuse<'VALIDATION_ERROR'>): StoredProfileSchema {
  const defined = defineProfileSchema(body)
  if ('validation' in defined) throw refuse('VALIDATION_ERROR', { validation: defined.validation })
  return defined.schema
}
