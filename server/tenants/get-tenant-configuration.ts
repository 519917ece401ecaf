import { hash } from 'node:crypto'
import type { ProfileSchema } from '../../contract/profile-schema.ts'
import type { getTenantConfiguration as operation } from '../../contract/tenant-configuration.ts'
import type { Document, Handler } from '../core/handler.ts'
import { publicConfiguration } from './tenant-configuration.ts'
import type { TenantSnapshot } from './tenant-snapshot.ts'

/** The two bodies of a snapshot, rendered on first use; null when the tenant is not configured. */
interface Bodies {
  withSchema?: Document | null
  withoutSchema?: Document | null
}

/** A snapshot never changes, so its bodies can be cached. */
const bodies = new WeakMap<TenantSnapshot, Bodies>()

/**
 * `GET /tenant-configuration` (CONFIG-1 to CONFIG-6): a cached body with its entity tag; every revision has a new one.
 */
export const getTenantConfiguration: Handler<typeof operation> = (
  { query: { schemaVersion } },
  { snapshot, refuse },
) => {
  const document =
    schemaVersion === snapshot.profileSchema.schema.version ? withoutSchema(snapshot) : withSchema(snapshot)
  if (document === null) throw refuse('TENANT_NOT_CONFIGURED')
  return document
}

function withSchema(snapshot: TenantSnapshot): Document | null {
  const known = bodiesOf(snapshot)
  if (known.withSchema === undefined) known.withSchema = render(snapshot, snapshot.profileSchema.schema)
  return known.withSchema
}

function withoutSchema(snapshot: TenantSnapshot): Document | null {
  const known = bodiesOf(snapshot)
  if (known.withoutSchema === undefined) known.withoutSchema = render(snapshot, null)
  return known.withoutSchema
}

function bodiesOf(snapshot: TenantSnapshot): Bodies {
  const known = bodies.get(snapshot)
  if (known !== undefined) return known
  const made: Bodies = {}
  bodies.set(snapshot, made)
  return made
}

function render({ configuration }: TenantSnapshot, schema: ProfileSchema | null): Document | null {
  const shown = publicConfiguration(configuration, schema)
  if (shown === null) return null
  const body = Buffer.from(JSON.stringify(shown))
  return {
    body,
    etag: `"${hash('sha256', body, 'base64url').slice(0, 27)}"`,
    cacheControl: 'private, no-cache',
    vary: 'X-Tenant-Key, Origin',
  }
}
