import { queryOptions } from '@tanstack/react-query'
import type { AdminInputOf, AdminOutputOf } from '../../packages/client/src/admin.ts'
import { admin, patientAdmin } from '../session/admin.ts'
import { type Draft, documentOf, type ProfileMigration, type StoredProfileSchema } from './draft.ts'

export type CheckReport = AdminOutputOf<'checkProfileSchema'>
export type Publication = AdminOutputOf<'publishProfileSchema'>
export type ListedVersion = AdminOutputOf<'listProfileSchemaVersions'>['items'][number]

/** The current schema with the revision of the tenant that `If-Match` names. */
export interface CurrentSchema {
  readonly schema: StoredProfileSchema
  readonly etag: string | undefined
}

/** What another operator has published since the draft was begun. */
export interface OtherVersion {
  readonly current: CurrentSchema
  /** The migrations from the version that the draft continues. */
  readonly steps: readonly ProfileMigration[]
}

export async function readCurrentSchema(tenantId: string, signal?: AbortSignal): Promise<CurrentSchema> {
  let etag: string | undefined
  const onEtag = (value: string) => {
    etag = value
  }
  const schema = await admin.readProfileSchema({ tenantId }, {}, { signal, onEtag })
  return { schema, etag }
}

export const checkDraft = (tenantId: string, draft: Draft, signal?: AbortSignal): Promise<CheckReport> =>
  patientAdmin.checkProfileSchema({ tenantId }, documentOf(draft), { signal })

/** Publishes the draft unless the tenant has changed since `etag`. */
export async function publishDraft(tenantId: string, draft: Draft, etag: string | undefined): Promise<Publication> {
  return patientAdmin.publishProfileSchema({ tenantId }, documentOf(draft), {}, { ifMatch: etag })
}

/**
 * The migrations of the versions after `base` up to `theirs`, in their order. Of a version that cannot be read here, those of
 * `theirs` alone.
 */
export async function stepsSince(
  tenantId: string,
  base: StoredProfileSchema,
  theirs: StoredProfileSchema,
): Promise<readonly ProfileMigration[]> {
  const { items } = await admin.listProfileSchemaVersions({ tenantId }, {})
  const published = items.filter(({ state }) => state === 'current' || state === 'superseded')
  const [newest, oldest] = [theirs, base].map(({ version }) => published.findIndex((one) => one.version === version))
  if (newest! < 0 || oldest! < 0) return theirs.migrations
  const between = published.slice(newest! + 1, oldest!).toReversed()
  const read = between.map(({ version }) => admin.readProfileSchemaVersion({ tenantId, version }))
  const versions = await Promise.all(read)
  return [...versions, theirs].flatMap(({ migrations }) => migrations)
}

export const schemaQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ['readProfileSchema', { tenantId }],
    queryFn: ({ signal }) => readCurrentSchema(tenantId, signal),
  })

/** The current schema once a version that was built is current: the editor goes on from it, but shows its draft until then. */
export const builtSchemaQuery = (tenantId: string, version: string | undefined) =>
  queryOptions({
    queryKey: ['readProfileSchema', { tenantId }, { version }],
    queryFn: ({ signal }) => readCurrentSchema(tenantId, signal),
  })

export const versionsQuery = (tenantId: string, query: AdminInputOf<'listProfileSchemaVersions'> = {}) =>
  queryOptions({
    queryKey: ['listProfileSchemaVersions', { tenantId }, query],
    queryFn: ({ signal }) => admin.listProfileSchemaVersions({ tenantId }, query, { signal }),
  })

export const versionQuery = (tenantId: string, version: string) =>
  queryOptions({
    queryKey: ['readProfileSchemaVersion', { tenantId, version }],
    queryFn: ({ signal }) => admin.readProfileSchemaVersion({ tenantId, version }, { signal }),
  })

export const diffQuery = (tenantId: string, from: string, to: string) =>
  queryOptions({
    queryKey: ['diffProfileSchemas', { tenantId }, { from, to }],
    queryFn: ({ signal }) => admin.diffProfileSchemas({ tenantId }, { from, to }, { signal }),
  })

/** How far stored profiles have followed the current version. Asked again while some have not. */
export const migrationQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ['readProfileMigration', { tenantId }],
    queryFn: ({ signal }) => admin.readProfileMigration({ tenantId }, { signal }),
    refetchInterval: ({ state }) => (state.data !== undefined && state.data.pending > 0 ? 5_000 : false),
  })
