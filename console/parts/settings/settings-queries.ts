import { queryOptions } from '@tanstack/react-query'
import type { TenantModules } from '../../../packages/client/src/admin.ts'
import { admin } from '../../session/admin.ts'
import { changesBetween, patchOf } from './changes.ts'

/** The configuration of a tenant at one revision. */
export interface Settings {
  readonly modules: TenantModules
  readonly etag: string
}

export const settingsQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ['readConfiguration', { tenantId }],
    queryFn: ({ signal }) => withEtag((options) => admin.readConfiguration({ tenantId }, { ...options, signal })),
  })

/** Stores what changed between two revisions, and returns what is stored then. Refused unless `before` is what is stored. */
export type WriteSettings = (tenantId: string, before: Settings, after: TenantModules) => Promise<Settings>

/** Sends only what changed. */
export const patchSettings: WriteSettings = (tenantId, before, after) =>
  withEtag((options) =>
    admin.updateConfiguration({ tenantId }, patchOf(changesBetween(before.modules, after)), {
      ...options,
      ifMatch: before.etag,
    }),
  )

/** Sends everything: a merge patch could not set a member to null. */
export const replaceSettings: WriteSettings = (tenantId, before, after) =>
  withEtag((options) => admin.replaceConfiguration({ tenantId }, after, { ...options, ifMatch: before.etag }))

async function withEtag(
  call: (options: { onEtag: (etag: string) => void }) => Promise<TenantModules>,
): Promise<Settings> {
  let etag = ''
  const modules = await call({
    onEtag: (sent) => {
      etag = sent
    },
  })
  return { modules, etag }
}
