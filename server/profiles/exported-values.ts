import type { ProfileValues } from '../../contract/fields/field-type.ts'
import type { ProfileComponent } from '../../contract/profile-schema.ts'
import type { TenantStore } from '../tenants/tenant.ts'
import type { CompiledProfileSchema } from './schema/compile-profile-schema.ts'

/**
 * The values of profiles as an export of users contains them: as the operator reads them, so that an import takes them, and
 * null for sensitive fields unless these are asked for. A value that is stored under the name of a removed field is exported as long as it exists.
 */
export function exportOfValues(
  { schema: { components }, present }: CompiledProfileSchema,
  tenant: TenantStore,
  withSensitive: boolean,
): (values: ProfileValues) => Promise<ProfileValues> {
  const known = new Set(components.map(({ name }) => name))
  const sensitive = sensitiveOf(components)
  let ever: Promise<Ever> | undefined

  /**
   * Whether a field that the schema does not have was sensitive in any version. The versions are read with the first such
   * value, and again for a field that they do not have: it is of a version that was published during the export.
   */
  async function wasSensitive(name: string): Promise<boolean> {
    ever ??= readEver(tenant)
    if (!(await ever).names.has(name)) ever = readEver(tenant)
    return (await ever).sensitive.has(name)
  }

  return async (values) => {
    const shown = present(values, 'operator')
    const exported: ProfileValues = { ...values }
    for (const name of Object.keys(exported)) {
      // A value of a type that the field no longer has may be one of an earlier, sensitive field.
      if (known.has(name)) exported[name] = shown[name]!
      const isSensitive = known.has(name) ? sensitive.has(name) : !withSensitive && (await wasSensitive(name))
      if (isSensitive && !withSensitive) exported[name] = null
    }
    return exported
  }
}

/** The names that fields have had in any version of a schema. */
interface Ever {
  readonly names: ReadonlySet<string>
  readonly sensitive: ReadonlySet<string>
}

async function readEver(tenant: TenantStore): Promise<Ever> {
  const [names, sensitive] = [new Set<string>(), new Set<string>()]
  for await (const { schema } of tenant.schemasAfter(0)) {
    for (const { name } of schema.components) names.add(name)
    for (const name of sensitiveOf(schema.components)) sensitive.add(name)
  }
  return { names, sensitive }
}

const sensitiveOf = (components: readonly ProfileComponent[]): Set<string> =>
  new Set(components.filter(({ sensitive }) => sensitive === true).map(({ name }) => name))
