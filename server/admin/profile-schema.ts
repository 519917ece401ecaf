import type * as operations from '../../contract/admin-profile-schema.ts'
import type { ProfileSchemaInput, StoredProfileSchema } from '../../contract/profile-schema.ts'
import type { Handler } from '../core/handler.ts'
import type { Refuse } from '../core/service-error.ts'
import { compareProfileSchemas } from '../profiles/compare-profile-schemas.ts'
import { defineProfileSchema } from '../profiles/define-profile-schema.ts'
import { WriteConflict } from '../storage/storage.ts'
import { getManagedTenant } from './managed-tenant.ts'
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
  return published.schema
}

/**
 * `PUT /admin/tenants/{t}/profile-schema`: makes a new schema current. Decided and stored at one revision: of two
 * concurrent publications the later one sees the earlier.
 */
export const publishProfileSchema: Handler<typeof operations.publishProfileSchema> = async (
  { params, query, body },
  { now, refuse },
  { storage, logger },
) => {
  const schema = requireValidSchema(body, refuse)
  const { stores } = await getManagedTenant(storage, params.tenantId, refuse)
  return stores.write(async (tx) => {
    const stored = await tx.tenant.configuration()
    if (stored === null) throw refuse('TENANT_NOT_FOUND')
    const { kind, version } = await planPublication(schema, body.version === undefined, tx.tenant, stored, now)
    if (kind === 'taken') throw refuse('PROFILE_SCHEMA_VERSION_EXISTS')
    if (kind === 'new' && query.ifBreaking === 'refuse') {
      const changes = compareProfileSchemas(stored.profileSchema.schema, schema)
      if (changes.length > 0) {
        logger.warn({ tenantId: params.tenantId, changes }, 'profile schema refused; it has breaking changes')
        throw refuse('PROFILE_SCHEMA_BREAKING')
      }
    }
    if (kind === 'published' || (await tx.tenant.publishSchema(version, stored.revision, now))) return version.schema
    throw new WriteConflict('The tenant changed between reading and writing its profile schema')
  })
}

/** The normalised schema, or a refusal with all its problems. Numbering assigns a missing version later. */
export function requireValidSchema(body: ProfileSchemaInput, refuse: Refuse<'VALIDATION_ERROR'>): StoredProfileSchema {
  const defined = defineProfileSchema(body)
  if ('validation' in defined) throw refuse('VALIDATION_ERROR', { validation: defined.validation })
  return defined.schema
}
