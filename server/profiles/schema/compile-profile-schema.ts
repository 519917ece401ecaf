import { type CompiledFields, compileFields } from '../../../contract/fields/compile-fields.ts'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import type { JsonValue } from '../../../contract/fields/json-value.ts'
import type { ProfileSchema } from '../../../contract/profile-schema.ts'
import { fieldEngines } from './field-engines.ts'
import type { SchemaComponent } from './schema-component.ts'

/** A published profile schema compiled to validate and present profiles; keeps no reference to a profile. */
export interface CompiledProfileSchema extends CompiledFields {
  readonly schema: ProfileSchema
  /** The fields that access tokens contain. */
  readonly claims: readonly string[]
  /** The unique and searchable fields. */
  readonly indexed: readonly SchemaComponent[]
  /** The values of the indexed fields, as `present` shows them to the operator. */
  presentIndexed(values: ProfileValues): Readonly<Record<string, JsonValue>>
}

/**
 * Compiles a schema that `defineProfileSchema` accepted. Takes about a millisecond, more with patterns, so the result is
 * cached per (tenant, version).
 * @throws TypeError for an unknown field type
 */
export function compileProfileSchema(schema: ProfileSchema): CompiledProfileSchema {
  const { components, forms } = schema
  const all: readonly SchemaComponent[] = components
  const claims = all.filter(({ claim }) => claim).map(({ name }) => name)
  const indexed = all.filter(({ unique, searchable }) => unique || searchable)
  const fields = compileFields(components, forms, fieldEngines)
  return { schema, claims, indexed, presentIndexed: presenterOf(indexed, fields), ...fields }
}

/** Presents a few of many fields: every update of an indexed field needs them twice. */
function presenterOf(
  components: readonly SchemaComponent[],
  all: CompiledFields,
): CompiledProfileSchema['presentIndexed'] {
  // Their conditions refer to other fields, so `all` judges them.
  const unconditional = components.map(
    ({ visibleWhen: _visible, requiredWhen: _required, lockedWhen: _locked, ...component }) => component,
  )
  const { present } = compileFields(unconditional, {}, fieldEngines)
  return (values) => {
    const shown = present(values, 'operator')
    for (const name of all.hidden(values)) if (Object.hasOwn(shown, name)) shown[name] = null
    return shown
  }
}
