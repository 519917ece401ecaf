import type {
  ProfileComponent,
  ProfileMigration,
  ProfileSchema,
  StoredProfileSchema,
} from '../../contract/profile-schema.ts'
import type { CompiledProfileSchema } from './compile-profile-schema.ts'
import type { ProfileValues } from './field-kind.ts'
import { fieldKinds } from './kinds.ts'
import { migrateProfile } from './migrate-profile.ts'
import { ownValue } from './profile-values.ts'

/** Something a candidate schema would break for stored profiles or for clients of today's. */
export interface SchemaChange {
  /** The field's name in today's schema, or in the candidate for a field that only it has. */
  readonly field: string
  readonly kind: 'removed' | 'retyped' | 'narrowed'
  /** In plain words, for the operator. */
  readonly message: string
}

/**
 * What publishing a candidate would break (design 7): fields that go, change their type, or take fewer values than today.
 * The candidate's migrations count: a renamed field is followed, an option that is mapped to another is not lost.
 */
export function compareProfileSchemas(
  current: ProfileSchema,
  candidate: ProfileSchema & Partial<Pick<StoredProfileSchema, 'migrations'>>,
): SchemaChange[] {
  const migrations = candidate.migrations ?? []
  const components = new Map(candidate.components.map((component) => [component.name, component]))
  const changes: SchemaChange[] = []
  for (const component of current.components) {
    const name = nameAfter(component.name, migrations)
    const successor = name === null ? undefined : components.get(name)
    changes.push(...compareComponents(component, successor, name, migrations))
  }
  return [...changes, ...newlyAsked(current, candidate, migrations)]
}

/**
 * The names of the stored fields that a schema would refuse if they were sent today, after migrating them to it. Unset
 * fields never fail: a field that is required can be missing, it just cannot be cleared. `now` is epoch milliseconds.
 */
export function failingFields(compiled: CompiledProfileSchema, values: ProfileValues, now: number): string[] {
  const set = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
  const judged = compiled.validate(set, { now, operator: true, current: null })
  return 'validation' in judged ? Object.keys(judged.validation) : []
}

function compareComponents(
  before: ProfileComponent,
  after: ProfileComponent | undefined,
  name: string | null,
  migrations: readonly ProfileMigration[],
): SchemaChange[] {
  const field = before.name
  if (after === undefined) {
    const how = name === null ? 'A migration drops it' : 'The candidate does not have it'
    return [{ field, kind: 'removed', message: `${how}: clients no longer see its values.` }]
  }
  if (before.type !== after.type) {
    const lost = fieldKinds[before.type].expects !== fieldKinds[after.type].expects
    const stored = lost ? 'values of the old type show as unset' : 'stored values stay but may fail its rules'
    return [{ field, kind: 'retyped', message: `It becomes ${after.type} instead of ${before.type}; ${stored}.` }]
  }
  const reasons = [
    ...narrowedRules(before, after),
    ...narrowedOptions(before, after, migrations),
    ...narrowedUse(before, after),
  ]
  return reasons.map((message) => ({ field, kind: 'narrowed', message }))
}

function narrowedRules(before: ProfileComponent, after: ProfileComponent): string[] {
  return Object.entries(fieldKinds[after.type].rules)
    .map(([name, rule]) => ({ name, rule, was: before.rules?.[name], is: after.rules?.[name] }))
    .filter(({ rule, was, is }) => rule.narrows(was, is))
    .map(({ name, was, is }) => `Its rule ${name} becomes ${shown(is)} instead of ${shown(was)}.`)
}

function narrowedOptions(
  before: ProfileComponent,
  after: ProfileComponent,
  migrations: readonly ProfileMigration[],
): string[] {
  const kept = new Set(after.options?.map((option) => option.value))
  const lost = (before.options ?? [])
    .map((option) => option.value)
    .filter((value) => {
      // The one way to know where a value ends up is to send it through the migrations.
      const arrived = ownValue(migrateProfile({ [before.name]: value }, [migrations]), after.name)
      return arrived !== null && arrived !== undefined && !kept.has(String(arrived))
    })
  return lost.length === 0
    ? []
    : [`It no longer has the option${lost.length > 1 ? 's' : ''} ${lost.map(shown).join(', ')}.`]
}

function narrowedUse(before: ProfileComponent, after: ProfileComponent): string[] {
  const reasons: string[] = []
  if (!before.required && after.required) reasons.push('It becomes required: it can no longer be cleared.')
  if (before.writable !== false && after.writable === false) {
    reasons.push('It is no longer writable: what clients send for it is ignored.')
  }
  if (!before.writeOnce && after.writeOnce) reasons.push('It becomes write-once: clients can no longer change it.')
  return reasons
}

/** Fields that a form of today's asks for from now on: a client that shows the old form is refused. */
function newlyAsked(
  current: ProfileSchema,
  candidate: ProfileSchema,
  migrations: readonly ProfileMigration[],
): SchemaChange[] {
  const todaysName = new Map(current.components.map(({ name }) => [nameAfter(name, migrations), name]))
  return Object.entries(candidate.forms).flatMap(([form, { required = [] }]) => {
    const asked = new Set(ownValue(current.forms, form)?.required)
    return required
      .map((name) => todaysName.get(name) ?? name)
      .filter((field) => !asked.has(field))
      .map((field) => ({ field, kind: 'narrowed' as const, message: `The form ${form} requires it from now on.` }))
  })
}

/** What a field is called after the migrations; null when they drop it or another field takes its place. */
function nameAfter(name: string, migrations: readonly ProfileMigration[]): string | null {
  let now = name
  for (const step of migrations) {
    if ('rename' in step) {
      if (step.rename.from === now) now = step.rename.to
      else if (step.rename.to === now) return null
    } else if ('drop' in step && step.drop === now) {
      return null
    }
  }
  return now
}

const shown = (value: unknown) => (value === undefined ? 'none' : JSON.stringify(value))
