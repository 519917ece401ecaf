import type { getTenantConfiguration as operation } from '../../contract/tenants/tenant-configuration.ts'
import type { Handler } from '../core/handler.ts'
import { publicSchema } from '../profiles/schema/public-schema.ts'
import { type ConfigurationDocument, renderConfiguration } from './configuration-document.ts'
import { DerivedConfigurationCache } from './derived-configuration-cache.ts'
import type { TenantSnapshot } from './tenant-snapshot.ts'

/** The two plain bodies of a snapshot, rendered on first use; null when the tenant is not configured. */
interface Bodies {
  withSchema?: ConfigurationDocument | null
  withoutSchema?: ConfigurationDocument | null
}

/** A snapshot never changes, so its bodies can be cached. */
const bodies = new WeakMap<TenantSnapshot, Bodies>()
const derived = new DerivedConfigurationCache()

/**
 * `GET /tenant-configuration` (CONFIG-1 to CONFIG-10): a cached body with its entity tag; every revision has a new one.
 */
export const getTenantConfiguration: Handler<typeof operation> = (
  { query: { schemaVersion, schemaDelta, locale } },
  { snapshot, storage, refuse },
) => {
  const isHeld = schemaVersion === snapshot.profileSchema.schema.version
  const document = isHeld ? withoutSchema(snapshot) : withSchema(snapshot)
  if (document === null) throw refuse('TENANT_NOT_CONFIGURED')
  const from = schemaDelta === 'true' ? schemaVersion : undefined
  if (isHeld || (from === undefined && locale === undefined)) return document
  return derived.find(snapshot, document, { from, locale }, storage.tenant)
}

function withSchema(snapshot: TenantSnapshot): ConfigurationDocument | null {
  const known = bodiesOf(snapshot)
  const { configuration, profileSchema } = snapshot
  known.withSchema ??= renderConfiguration(configuration, { profileSchema: publicSchema(profileSchema.schema) })
  return known.withSchema
}

function withoutSchema(snapshot: TenantSnapshot): ConfigurationDocument | null {
  const known = bodiesOf(snapshot)
  known.withoutSchema ??= renderConfiguration(snapshot.configuration, null)
  return known.withoutSchema
}

function bodiesOf(snapshot: TenantSnapshot): Bodies {
  const known = bodies.get(snapshot)
  if (known !== undefined) return known
  const made: Bodies = {}
  bodies.set(snapshot, made)
  return made
}
