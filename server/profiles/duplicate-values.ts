import type { ProfileValues } from '../../contract/fields/field-type.ts'
import { uniqueValue } from './index/index-entries.ts'
import type { CompiledProfileSchema } from './schema/compile-profile-schema.ts'
import type { SchemaComponent } from './schema/schema-component.ts'

/** Counts values that several profiles have in a unique field. */
interface DuplicateValues {
  /** Adds a profile's values, migrated to the schema. */
  add(values: ProfileValues): void
  /** The number of such values, by field; without the fields that have none. */
  counts(): Record<string, number>
}

/** For the unique fields of a schema. Needs about 40 bytes for each value of each field. */
export function duplicateValues({ schema, present }: CompiledProfileSchema): DuplicateValues {
  const components: readonly SchemaComponent[] = schema.components
  const fields = components
    .filter(({ unique }) => unique)
    .map((component) => ({ component, known: new Set<number>(), repeated: new Set<number>() }))
  return {
    add(values) {
      if (fields.length === 0) return
      const visible = present(values, 'operator')
      for (const { component, known, repeated } of fields) {
        const value = visible[component.name] ?? null
        if (value === null) continue
        const key = shortened(uniqueValue(component, value))
        if (known.has(key)) repeated.add(key)
        else known.add(key)
      }
    },
    counts: () =>
      Object.fromEntries(
        fields.flatMap(({ component, repeated }) => (repeated.size === 0 ? [] : [[component.name, repeated.size]])),
      ),
  }
}

/** 48 bits of the hash: in a million values, two different ones are equal with a probability of 0.2 %. */
const shortened = (hash: string): number => Buffer.from(hash, 'base64url').readUIntBE(0, 6)
