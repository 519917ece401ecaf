import type { StoredProfileSchema } from '../../contract/profile-schema.ts'
import type { PublishedVersion, StoredConfiguration, TenantStore } from '../tenants/tenant.ts'

/**
 * What publishing a schema comes to: nothing (`published` already), a `new` version, or one whose name another content
 * has (`taken`). Versions follow one another and never come back, so that migrations only ever go forward: to go back
 * is to publish the old content as a new version.
 */
export interface Publication {
  readonly kind: 'published' | 'new' | 'taken'
  readonly version: PublishedVersion
}

/**
 * Decides what publishing comes to (design 7): published versions never change, and the same content again changes
 * nothing. Order of keys is no content.
 *
 * @param unnamed the publisher gave no version: the schema is compared without its own, and numbered if it is new
 */
export async function planPublication(
  schema: StoredProfileSchema,
  unnamed: boolean,
  tenant: TenantStore,
  { profileSchema: current }: StoredConfiguration,
  now: number,
): Promise<Publication> {
  const ordinal = current.ordinal + 1
  if (unnamed) {
    if (hasSameContent(schema, current.schema)) return { kind: 'published', version: current }
    const version = await freeNumber(tenant, ordinal)
    return { kind: 'new', version: { ordinal, schema: { ...schema, version }, publishedAt: now } }
  }
  const published = await tenant.findSchema(schema.version)
  if (published !== null && hasSameContent(schema, published.schema)) return { kind: 'published', version: published }
  return { kind: published === null ? 'new' : 'taken', version: { ordinal, schema, publishedAt: now } }
}

/** The ordinal as text, or the next number that no publisher has taken as a name. */
async function freeNumber(tenant: TenantStore, ordinal: number): Promise<string> {
  let number = ordinal
  while ((await tenant.findSchema(`${number}`)) !== null) number++
  return `${number}`
}

const hasSameContent = ({ version: _one, ...one }: StoredProfileSchema, other: StoredProfileSchema): boolean => {
  const { version: _other, ...rest } = other
  return canonicalJson(one) === canonicalJson(rest)
}

/** JSON text with the members of every object in one order. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_key, part: unknown) => {
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return part
    return Object.fromEntries(Object.entries(part).sort(([one], [other]) => (one < other ? -1 : 1)))
  })
