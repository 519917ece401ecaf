import type { StoredProfileSchema } from '../../contract/profile-schema.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import { type CompiledProfileSchema, compileProfileSchema } from './compile-profile-schema.ts'

/** Snapshots keep one object a published version, so what was compiled from it lives exactly as long. */
const compiled = new WeakMap<StoredProfileSchema, CompiledProfileSchema>()

/** The validator of a tenant's current profile schema: compiled once per (tenant, version). */
export function compiledSchemaOf({ profileSchema: { schema } }: TenantSnapshot): CompiledProfileSchema {
  const known = compiled.get(schema)
  if (known !== undefined) return known
  const result = compileProfileSchema(schema)
  compiled.set(schema, result)
  return result
}
