import { fitsClaimAlways, MAX_CLAIM_BYTES } from '../../../contract/fields/claim-value.ts'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import { fieldTypes } from '../../../contract/fields/field-types.ts'
import { ownValue } from '../../../contract/fields/profile-values.ts'
import { DEFAULT_LENGTH, lengthLimit } from '../../../contract/fields/types/written-text.ts'
import type { ProfileMigration, ProfileSchema, StoredProfileSchema } from '../../../contract/profile-schema.ts'
import { migrateProfile } from '../migrations/migrate-profile.ts'
import { compareConditions, type NameAfter } from './compare-conditions.ts'
import { compareForms } from './compare-forms.ts'
import type { CompiledProfileSchema } from './compile-profile-schema.ts'
import type { FieldKind } from './field-kind.ts'
import { followField } from './follow-field.ts'
import { fieldKinds } from './kinds.ts'
import type { SchemaChange } from './schema-change.ts'
import type { SchemaComponent } from './schema-component.ts'

/**
 * What publishing a candidate would break: fields that are removed, change type, accept or show less, or get a condition.
 * The candidate's migrations are applied: a renamed field is followed, and an option that is mapped to another is not lost.
 */
export function compareProfileSchemas(
  current: ProfileSchema,
  candidate: ProfileSchema & Partial<Pick<StoredProfileSchema, 'migrations'>>,
): SchemaChange[] {
  // No app has fields to show before the first schema is published.
  if (current.components.length === 0) return []
  const { migrations = [] } = candidate
  const components = new Map(candidate.components.map((component) => [component.name, component]))
  const nameAfter: NameAfter = (field) => followField(field, migrations).find(({ whole }) => whole)?.name ?? null
  /** The current fields by their names in the candidate. */
  const before = new Map<string | null, SchemaComponent>(current.components.map((one) => [nameAfter(one.name), one]))
  return [
    ...current.components.flatMap((component) => compareField(component, components, migrations)),
    ...compareConditions(candidate.components, before, nameAfter).map(([field, message]) => ({
      field,
      kind: 'conditional' as const,
      message,
    })),
    ...compareForms(current, candidate, before),
  ]
}

/**
 * The names of the stored fields, migrated to the schema, that it would reject if a client sent them at `now` (epoch
 * milliseconds), with conditions. Unset fields fail by `requiredWhen` only: a required field can be missing, it only cannot
 * be cleared.
 */
export function failingFields(compiled: CompiledProfileSchema, values: ProfileValues, now: number): string[] {
  const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  const judged = compiled.validate(set, { now, operator: true, current: set })
  return 'validation' in judged ? Object.keys(judged.validation) : []
}

/** A field whose value is spread over others, or joined with others, is not compared: it has no single successor. */
function compareField(
  before: SchemaComponent,
  components: ReadonlyMap<string, SchemaComponent>,
  migrations: readonly ProfileMigration[],
): SchemaChange[] {
  const field = before.name
  const successors = followField(field, migrations, fieldTypes[before.type].expects)
  const kept = successors.filter(({ name }) => components.has(name))
  const whole = kept.find((successor) => successor.whole)
  if (kept.length === 0) {
    const ofAnyType = followField(field, migrations)
    if (ofAnyType.some(({ name }) => components.has(name))) {
      const message = `Not in the new schema, and no step takes values of type ${before.type}; clients no longer see them.`
      return [{ field, kind: 'removed', message }]
    }
    return [{ field, kind: 'removed', message: whyRemoved(successors.length > 0, components.has(field)) }]
  }
  return whole ? compareComponents(before, components.get(whole.name)!, whole.cast, migrations) : []
}

/** A step that stays in the file of the next version replaces what users have changed since it ran. */
function whyRemoved(hasSuccessors: boolean, isField: boolean): string {
  if (hasSuccessors) return 'Not in the new schema; clients no longer see its values.'
  if (!isField) return 'Removed by a migration; clients no longer see its values.'
  return 'A migration removes or replaces its values; remove the step if an earlier version has run it.'
}

function compareComponents(
  before: SchemaComponent,
  after: SchemaComponent,
  cast: boolean,
  migrations: readonly ProfileMigration[],
): SchemaChange[] {
  const field = before.name
  if (before.type !== after.type) {
    const stored = storedAfter(fieldTypes[before.type].expects, fieldTypes[after.type].expects, cast)
    return [{ field, kind: 'retyped', message: `Type changes from ${before.type} to ${after.type}; ${stored}.` }]
  }
  const reasons = [
    ...narrowedRules(before, after),
    ...narrowedOptions(before, after, migrations),
    ...narrowedUse(before, after),
  ]
  return reasons.map((message) => ({ field, kind: 'narrowed', message }))
}

/** What becomes of the stored values of a field whose type changes. */
function storedAfter(expectedBefore: string, expected: string, cast: boolean): string {
  if (cast) return 'stored values are cast, and those that cannot be cast are kept as they are'
  if (expectedBefore === 'number' && expected === 'integer') return 'stored values with a fraction are shown as unset'
  if (expectedBefore === 'integer' && expected === 'number') return 'stored values are kept but may fail the new rules'
  // Types whose values are objects have different members.
  if (expectedBefore !== expected || expected === 'object') return 'stored values are shown as unset'
  return 'stored values are kept but may fail the new rules'
}

function narrowedRules(before: SchemaComponent, after: SchemaComponent): string[] {
  const kind: FieldKind = fieldKinds[after.type]
  const implied = kind.impliedBounds?.(before.rules ?? {}, before.options ?? []) ?? {}
  const narrowed = Object.entries(kind.rules)
    .map(([name, rule]) => ({ name, rule, was: before.rules?.[name], is: after.rules?.[name] }))
    .filter(({ name, rule, was, is }) => rule.narrows(implied[name] ?? was, is))
    .map(({ name, was, is }) => `Rule ${name} changes from ${shown(was)} to ${shown(is)}.`)
  return [...narrowed, ...(kind.narrowedTogether?.(before.rules ?? {}, after.rules ?? {}) ?? [])]
}

function narrowedOptions(
  before: SchemaComponent,
  after: SchemaComponent,
  migrations: readonly ProfileMigration[],
): string[] {
  const kept = new Set(after.options?.map((option) => option.value))
  const lost = (before.options ?? [])
    .map((option) => option.value)
    .filter((value) => {
      // A value can pass through several map steps; only running the migrations shows the result.
      const arrived = ownValue(migrateProfile({ [before.name]: value }, [migrations]), after.name)
      return arrived !== null && arrived !== undefined && !kept.has(String(arrived))
    })
  return lost.length === 0 ? [] : [`Options removed: ${lost.map(shown).join(', ')}.`]
}

function narrowedUse(before: SchemaComponent, after: SchemaComponent): string[] {
  const reasons: string[] = []
  if (!before.required && after.required) reasons.push('Becomes required; clients can no longer clear it.')
  if (before.writable !== false && after.writable === false) {
    reasons.push('Becomes read-only; values that clients send are ignored.')
  }
  if (!before.writeOnce && after.writeOnce)
    reasons.push('Becomes write-once; clients can no longer change a stored value.')
  if (before.readable !== false && after.readable === false)
    reasons.push('Becomes unreadable; clients see it as unset.')
  if (!before.unique && after.unique) reasons.push('Becomes unique; a value that another user has is refused.')
  if (before.unique && before.uniqueBy === 'exact' && after.unique && after.uniqueBy !== 'exact')
    reasons.push('Unique regardless of letter case; a value that another user has in other letters is refused.')
  if (!before.claim && after.claim && after.writable !== false && mayExceedClaim(after))
    reasons.push(`Becomes a claim; values of more than ${MAX_CLAIM_BYTES} bytes are refused.`)
  if (before.claim && !after.claim) reasons.push('No longer a claim; access tokens lack it.')
  return reasons
}

/** Whether a field can have a value that is too long for a claim. Values of other types are short. */
function mayExceedClaim({ type, rules = {} }: SchemaComponent): boolean {
  if (type === 'url') return true
  if (type !== 'text' && type !== 'multiline') return false
  return !fitsClaimAlways(lengthLimit(rules, DEFAULT_LENGTH[type]))
}

const shown = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value))
