import type { StoredProfileSchema } from '../../../contract/profile-schema.ts'
import type { AdminCall } from '../../core/call.ts'
import { canonicalJson } from '../../core/canonical-json.ts'
import { indexKeysOf } from '../../profiles/index/index-keys.ts'
import type { PublishedVersion, StoredConfiguration, TenantStore } from '../../tenants/tenant.ts'

/**
 * The effect of publishing a schema: none (`published` already), a `new` version, or a conflict with another schema of
 * the same version (`taken`). An old version never becomes current again, so that migrations only go forward: going
 * back means publishing the old content as a new version.
 */
export interface Publication {
  readonly kind: 'published' | 'new' | 'taken'
  readonly version: PublishedVersion
}

/**
 * Decides the effect of publishing. Published versions never change, and the same content again changes nothing. The
 * order of members does not matter.
 * @param unnamed the body has no version: the schema is compared without it, and numbered if it is new
 */
export async function planPublication(
  schema: StoredProfileSchema,
  unnamed: boolean,
  tenant: TenantStore,
  { profileSchema: current, building }: StoredConfiguration,
  { now, operator: { id: publishedBy } }: Pick<AdminCall, 'now' | 'operator'>,
): Promise<Publication> {
  const ordinal = (await tenant.lastOrdinal()) + 1
  const indexKeys = indexKeysOf(schema, ordinal, current)
  if (unnamed) {
    const same = [current, building].find((one) => one !== null && hasSameContent(schema, one.schema))
    if (same) return { kind: 'published', version: same }
    const version = await freeNumber(tenant, ordinal)
    return {
      kind: 'new',
      version: { ordinal, schema: { ...schema, version }, publishedAt: now, publishedBy, indexKeys },
    }
  }
  const published = await tenant.findSchema(schema.version)
  // The name of a version that failed is free again.
  const isFree = published === null || published.state === 'failed'
  if (!isFree && hasSameContent(schema, published.schema)) return { kind: 'published', version: published }
  return { kind: isFree ? 'new' : 'taken', version: { ordinal, schema, publishedAt: now, publishedBy, indexKeys } }
}

/** The ordinal as text, or the next number that is not used as a version. */
async function freeNumber(tenant: TenantStore, ordinal: number): Promise<string> {
  let number = ordinal
  while ((await tenant.findSchema(`${number}`)) !== null) number++
  return `${number}`
}

const hasSameContent = ({ version: _one, ...one }: StoredProfileSchema, other: StoredProfileSchema): boolean => {
  const { version: _other, ...rest } = other
  return canonicalJson(one) === canonicalJson(rest)
}
