import { isRecord } from '../../../../contract/fields/profile-values.ts'
import type { ProfileMigration } from '../../../../contract/profile-schema.ts'
import type { MigratedFields } from '../../migrations/migrated-fields.ts'
import type { ComponentsByName } from './define-field-names.ts'
import { defineRestructuring } from './define-restructuring.ts'
import { defineStoredValues } from './define-stored-values.ts'
import { at, type SchemaProblems } from './schema-problems.ts'

const MAX_MIGRATIONS = 200

/** The check of each kind of step. */
const steps = { ...defineStoredValues, ...defineRestructuring }

/**
 * Checks a candidate's migrations: the form of each step, that it targets a field of this schema, and that the field
 * accepts the values the step writes. Steps are checked from last to first because only the final field names are known.
 */
export function defineMigrations(
  input: unknown,
  components: ComponentsByName,
  problems: SchemaProblems,
): ProfileMigration[] {
  if (input === undefined) return []
  if (!Array.isArray(input) || input.length > MAX_MIGRATIONS) {
    problems.add('migrations', `must be an array of at most ${MAX_MIGRATIONS} steps`)
    return []
  }
  const fields: MigratedFields = new Map(components)
  for (let index = input.length - 1; index >= 0; index--) {
    defineStep(input[index], `migrations.${index}`, fields, problems)
  }
  return input as ProfileMigration[]
}

function defineStep(input: unknown, path: string, fields: MigratedFields, problems: SchemaProblems): void {
  const [name, ...more] = isRecord(input) ? Object.keys(input) : []
  if (!isRecord(input) || name === undefined || more.length > 0 || !Object.hasOwn(steps, name)) {
    problems.add(path, `must be an object with exactly one of: ${Object.keys(steps).join(', ')}`)
  } else {
    steps[name as keyof typeof steps](input[name], at(path, name), fields, problems)
  }
}
