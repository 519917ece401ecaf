import type { ProfileValues } from '../../contract/fields/field-type.ts'
import type { ProfileComponent } from '../../contract/profile-schema.ts'
import type { TenantStore } from '../tenants/tenant.ts'
import type { CompiledProfileSchema } from './schema/compile-profile-schema.ts'

/**
 * The values of profiles as an export of users contains them: those of hidden fields are null, and those of sensitive ones
 * too unless they are asked for. A value that is stored under the name of a removed field is exported as long as it exists.
 */
export function exportOfValues(
  { schema: { components }, hidden }: CompiledProfileSchema,
  tenant: TenantStore,
  withSensitive: boolean,
): (values: ProfileValues) => Promise<ProfileValues> {
  const known = new Set(components.map(({ name }) => name))
  const sensitive = sensitiveOf(components)
  let removed: Promise<ReadonlySet<string>> | undefined

  /** Whether a removed field was sensitive in any version; these are read with the first such value only. */
  async function wasSensitive(name: string): Promise<boolean> {
    removed ??= tenant
      .schemasAfter(0)
      .then((versions) => new Set(versions.flatMap(({ schema }) => [...sensitiveOf(schema.components)])))
    return (await removed).has(name)
  }

  return async (values) => {
    const unseen = hidden(values)
    const exported: ProfileValues = { ...values }
    for (const name of Object.keys(exported)) {
      const isSensitive = known.has(name) ? sensitive.has(name) : !withSensitive && (await wasSensitive(name))
      if (unseen.has(name) || (isSensitive && !withSensitive)) exported[name] = null
    }
    return exported
  }
}

const sensitiveOf = (components: readonly ProfileComponent[]): Set<string> =>
  new Set(components.filter(({ sensitive }) => sensitive === true).map(({ name }) => name))
