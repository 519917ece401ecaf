import { z } from 'zod'
import { Condition, LocalizedText, ProfileSchemaInput } from '../../contract/profile-schema.ts'

/** Editors show these names when they describe a type. */
const names = new Map<unknown, string>([
  [Condition, 'Condition'],
  [LocalizedText, 'LocalizedText'],
])

const metadata = z.registry<z.core.GlobalMeta>()
metadata.get = (schema) => {
  const id = names.get(schema)
  const known = z.globalRegistry.get(schema)
  return (id === undefined ? known : { ...known, id }) as never
}

/**
 * The JSON Schema of `PUT /admin/tenants/{t}/profile-schema`, in draft 7, which editors support best. It describes the
 * shape; publishing also checks names, rules, patterns and references.
 */
export function profileJsonSchema(): object {
  const schema = z.toJSONSchema(ProfileSchemaInput, {
    io: 'input',
    target: 'draft-7',
    metadata,
    unrepresentable: 'any',
  })
  return { ...schema, title: 'Tenantry profile schema' }
}
