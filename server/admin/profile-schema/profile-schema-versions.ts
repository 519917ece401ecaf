import type * as operations from '../../../contract/admin/profile-schema.ts'
import { timestamp } from '../../../contract/envelope.ts'
import type { ProfileMigration } from '../../../contract/profile-schema.ts'
import type { Handler } from '../../core/handler.ts'
import { pageOf } from '../../core/pages.ts'
import type { Refuse } from '../../core/service-error.ts'
import { compareProfileSchemas } from '../../profiles/schema/compare-profile-schemas.ts'
import type { PageRequest, PublishedVersion, TenantStore, VersionState } from '../../tenants/tenant.ts'
import { getManagedTenant } from '../managed-tenant.ts'

/** `GET /admin/tenants/{t}/profile-schema/versions`: newest first. */
export const listProfileSchemaVersions: Handler<typeof operations.listProfileSchemaVersions> = (
  { params, query },
  { refuse },
  { storage, snapshots },
) => {
  const list = async ({ limit, cursor }: PageRequest) => {
    const { tenant, stores } = await getManagedTenant(storage, params.tenantId, refuse)
    const { schema: current } = (await snapshots.of(tenant)).profileSchema
    const before = cursor === null ? Number.MAX_SAFE_INTEGER : Number(cursor)
    const versions = await stores.tenant.listVersions({ limit, before })
    const profiles = await stores.profiles.countByVersion()
    return versions.map(({ version, ordinal, fields, migrations, ...publication }) => {
      const shown = presentPublication(version, publication, current.version)
      const item = { version, ordinal, ...shown, fields, migrations, profiles: profiles.get(version) ?? 0 }
      return { id: `${ordinal}`, item }
    })
  }
  return pageOf(query, refuse, list, ({ item }) => item, isOrdinal)
}

/** `GET /admin/tenants/{t}/profile-schema/versions/{v}`: the document as published, with its state. */
export const readProfileSchemaVersion: Handler<typeof operations.readProfileSchemaVersion> = async (
  { params },
  { refuse },
  { storage, snapshots },
) => {
  const { tenant, stores } = await getManagedTenant(storage, params.tenantId, refuse)
  const version = await requireVersion(stores.tenant, params.version, refuse)
  const { schema: current } = (await snapshots.of(tenant)).profileSchema
  return { ...version.schema, ...presentPublication(params.version, version, current.version) }
}

/** `GET /admin/tenants/{t}/profile-schema/migration`: how many profiles are not migrated yet. */
export const readProfileMigration: Handler<typeof operations.readProfileMigration> = async (
  { params },
  { refuse },
  { storage, snapshots },
) => {
  const { tenant, stores } = await getManagedTenant(storage, params.tenantId, refuse)
  const { version } = (await snapshots.of(tenant)).profileSchema.schema
  const counts = await stores.profiles.countByVersion()
  const profiles = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return { version, profiles, pending: profiles - (counts.get(version) ?? 0) }
}

/**
 * `GET /admin/tenants/{t}/profile-schema/diff`: what the later version breaks for profiles of the earlier one, which go
 * through the migrations of every version between them.
 */
export const diffProfileSchemas: Handler<typeof operations.diffProfileSchemas> = async (
  { params, query },
  { refuse },
  { storage, snapshots },
) => {
  const { tenant, stores } = await getManagedTenant(storage, params.tenantId, refuse)
  const from = await requireVersion(stores.tenant, query.from, refuse)
  const to =
    query.to === undefined
      ? (await snapshots.of(tenant)).profileSchema
      : await requireVersion(stores.tenant, query.to, refuse)
  if (from.ordinal > to.ordinal) {
    const problem = `published after "${to.schema.version}"; migrations only go forward, so swap the two`
    throw refuse('VALIDATION_ERROR', { validation: { from: problem } })
  }
  const migrations: ProfileMigration[] = []
  for await (const { ordinal, schema } of stores.tenant.schemasAfter(from.ordinal)) {
    if (ordinal >= to.ordinal) break
    migrations.push(...schema.migrations)
  }
  // A version that is building or has failed is not among those that profiles go through.
  if (from.ordinal !== to.ordinal) migrations.push(...to.schema.migrations)
  return {
    from: from.schema.version,
    to: to.schema.version,
    changes: compareProfileSchemas(from.schema, { ...to.schema, migrations }),
  }
}

async function requireVersion(
  tenant: TenantStore,
  version: string,
  refuse: Refuse<'PROFILE_SCHEMA_VERSION_NOT_FOUND'>,
): Promise<PublishedVersion & VersionState> {
  const found = await tenant.findVersion(version)
  if (found === null) throw refuse('PROFILE_SCHEMA_VERSION_NOT_FOUND')
  return found
}

const presentPublication = (
  version: string,
  { state, publishedAt, publishedBy, conflicts }: VersionState & Pick<PublishedVersion, 'publishedAt' | 'publishedBy'>,
  current: string,
) => ({
  state: state ?? (version === current ? ('current' as const) : ('superseded' as const)),
  publishedAt: timestamp(publishedAt),
  publishedBy,
  ...(conflicts && { conflicts: conflicts.map(({ field, userIds }) => ({ field, userIds: [...userIds] })) }),
})

const isOrdinal = (text: string): boolean => /^[1-9]\d{0,9}$/.test(text)
