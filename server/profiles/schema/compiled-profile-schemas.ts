import type { StoredProfileSchema } from '../../../contract/profile-schema.ts'
import type { PublishedVersion } from '../../tenants/tenant.ts'
import type { TenantSnapshot } from '../../tenants/tenant-snapshot.ts'
import { type CompiledProfileSchema, compileProfileSchema } from './compile-profile-schema.ts'

/** Snapshots share one object per published version, so the compiled schema lives as long as that object. */
const compiled = new WeakMap<StoredProfileSchema, CompiledProfileSchema>()

/** The validator of a tenant's current profile schema: compiled once per (tenant, version). */
export const compiledSchemaOf = ({ profileSchema }: Pick<TenantSnapshot, 'profileSchema'>): CompiledProfileSchema =>
  compiledVersion(profileSchema)

/** The validator of a published version. */
export function compiledVersion({ schema }: PublishedVersion): CompiledProfileSchema {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const result = compileProfileSchema(schema)
  compiled.set(schema, result)
  return result
}
