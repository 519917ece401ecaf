import type { FieldCondition } from '../../contract/fields/conditions/condition.ts'
import type { Condition, Draft, DraftField, FormStep, ProfileForm, ProfileMigration } from './draft.ts'

/** A change of the fields that conditions, sections, forms and migrations name: another name, or null for none. */
type NewName = (name: string) => string | null

/** A change of the comparisons of conditions: another one, or null for none. */
type NewComparison = (comparison: FieldCondition) => FieldCondition | null

/** The condition with other comparisons; undefined when nothing of it is left. */
export function mapCondition(condition: Condition, change: NewComparison): Condition | undefined {
  if ('all' in condition) {
    const all = mapConditions(condition.all, change)
    return all.length > 0 ? { all } : undefined
  }
  if ('any' in condition) {
    const any = mapConditions(condition.any, change)
    return any.length > 0 ? { any } : undefined
  }
  if ('not' in condition) {
    const not = mapCondition(condition.not, change)
    return not && { not }
  }
  return change(condition) ?? undefined
}

const mapConditions = (conditions: readonly Condition[], change: NewComparison): Condition[] =>
  conditions.flatMap((condition) => mapCondition(condition, change) ?? [])

const readOther =
  (newName: NewName): NewComparison =>
  (comparison) => {
    const field = newName(comparison.field)
    return field === null ? null : { ...comparison, field }
  }

const conditionKeys = ['visibleWhen', 'requiredWhen', 'lockedWhen'] as const

function mapField(field: DraftField, change: NewComparison): DraftField {
  let mapped = field
  for (const key of conditionKeys) {
    const condition = field[key]
    if (condition !== undefined) mapped = withOrWithout(mapped, key, mapCondition(condition, change))
  }
  if (!field.options?.some(({ when }) => when !== undefined)) return mapped
  const options = field.options.map((option) =>
    option.when === undefined ? option : withOrWithout(option, 'when', mapCondition(option.when, change)),
  )
  return { ...mapped, options }
}

/** The object with a member, or without it when the value is undefined: JSON knows no undefined. */
export function withOrWithout<T extends object>(object: T, key: keyof T, value: unknown): T {
  const { [key]: _old, ...others } = object
  return (value === undefined ? others : { ...object, [key]: value }) as T
}

const mapNames = (names: readonly string[], newName: NewName): string[] => names.flatMap((name) => newName(name) ?? [])

function mapStep(step: FormStep, newName: NewName): FormStep {
  const { fields, required } = step
  return {
    ...step,
    ...(fields && { fields: mapNames(fields, newName) }),
    ...(required && { required: mapNames(required, newName) }),
  }
}

function mapForm(form: ProfileForm, newName: NewName): ProfileForm {
  const { fields, required, steps } = form
  return {
    ...form,
    ...(fields && { fields: mapNames(fields, newName) }),
    ...(required && { required: mapNames(required, newName) }),
    ...(steps && { steps: steps.map((step) => mapStep(step, newName)) }),
  }
}

/** The draft with other fields in what sections and forms show. */
export function mapShown(draft: Draft, newName: NewName): Draft {
  return {
    ...draft,
    sections: draft.sections.map((section) => ({ ...section, fields: mapNames(section.fields, newName) })),
    forms: Object.fromEntries(Object.entries(draft.forms).map(([name, form]) => [name, mapForm(form, newName)])),
  }
}

/** The draft with other comparisons in the conditions of fields, options and steps. */
export function mapComparisons(draft: Draft, change: NewComparison): Draft {
  const mapStepCondition = (step: FormStep): FormStep =>
    step.visibleWhen === undefined ? step : withOrWithout(step, 'visibleWhen', mapCondition(step.visibleWhen, change))
  const forms = Object.entries(draft.forms).map(([name, form]): [string, ProfileForm] => [
    name,
    form.steps === undefined ? form : { ...form, steps: form.steps.map(mapStepCondition) },
  ])
  return {
    ...draft,
    fields: draft.fields.map((field) => mapField(field, change)),
    forms: Object.fromEntries(forms),
  }
}

/** The draft with other fields in conditions, sections and forms. */
export const mapReferences = (draft: Draft, newName: NewName): Draft =>
  mapComparisons(mapShown(draft, newName), readOther(newName))

/** The comparison with other texts to compare with. */
export function mapValues(comparison: FieldCondition, newValue: (value: string) => string): FieldCondition {
  const other = <T>(value: T): T => (typeof value === 'string' ? (newValue(value) as T) : value)
  return {
    ...comparison,
    ...(comparison.is !== undefined && { is: other(comparison.is) }),
    ...(comparison.isNot !== undefined && { isNot: other(comparison.isNot) }),
    ...(comparison.in && { in: comparison.in.map(other) }),
    ...(comparison.notIn && { notIn: comparison.notIn.map(other) }),
  }
}

/** The draft with another value in the conditions that compare a field with it. */
export function mapComparedValue(draft: Draft, field: string, from: string, to: string): Draft {
  const other = (value: string) => (value === from ? to : value)
  return mapComparisons(draft, (comparison) => (comparison.field === field ? mapValues(comparison, other) : comparison))
}

/** The step with other names of the fields that it reads and writes. */
export function mapMigration(step: ProfileMigration, renamed: (name: string) => string): ProfileMigration {
  if ('rename' in step) return { rename: { from: renamed(step.rename.from), to: renamed(step.rename.to) } }
  if ('copy' in step) return { copy: { from: renamed(step.copy.from), to: renamed(step.copy.to) } }
  if ('drop' in step) return { drop: renamed(step.drop) }
  if ('default' in step) return { default: { ...step.default, field: renamed(step.default.field) } }
  if ('map' in step) return { map: { ...step.map, field: renamed(step.map.field) } }
  if ('cast' in step) return { cast: { ...step.cast, field: renamed(step.cast.field) } }
  if ('split' in step) {
    return { split: { ...step.split, from: renamed(step.split.from), to: step.split.to.map(renamed) } }
  }
  return { join: { ...step.join, from: step.join.from.map(renamed), to: renamed(step.join.to) } }
}

/** The step without a field that it writes; null when it writes no other. */
export function withoutTarget(step: ProfileMigration, name: string): ProfileMigration | null {
  if (!writtenBy(step).includes(name)) return step
  if (!('split' in step)) return null
  const to = step.split.to.filter((one) => one !== name)
  return to.length > 0 ? { split: { ...step.split, to } } : null
}

/** The fields that a step writes. The server refuses a step that writes a field which the schema does not have. */
export function writtenBy(step: ProfileMigration): readonly string[] {
  if ('rename' in step) return [step.rename.to]
  if ('copy' in step) return [step.copy.to]
  if ('default' in step) return [step.default.field]
  if ('map' in step) return [step.map.field]
  if ('cast' in step) return [step.cast.field]
  if ('split' in step) return step.split.to
  if ('join' in step) return [step.join.to]
  return []
}

/** The fields that a step reads and leaves. */
export function readBy(step: ProfileMigration): readonly string[] {
  if ('copy' in step) return [step.copy.from]
  if ('split' in step) return [step.split.from]
  return 'join' in step ? step.join.from : []
}

/** Where a draft names a field, in words, for the question before it is removed. */
export function usesOf(draft: Draft, name: string): string[] {
  const uses: string[] = []
  const reads = (condition: Condition | undefined): boolean =>
    condition !== undefined &&
    JSON.stringify(condition) !== JSON.stringify(mapCondition(condition, readOther(without(name))))
  for (const field of draft.fields) {
    if (field.name === name) continue
    if (reads(field.visibleWhen)) uses.push(`when “${field.name}” is shown`)
    if (reads(field.requiredWhen)) uses.push(`when “${field.name}” is required`)
    if (reads(field.lockedWhen)) uses.push(`when “${field.name}” is locked`)
    if (field.options?.some(({ when }) => reads(when))) uses.push(`options of “${field.name}”`)
  }
  for (const [form, { fields, steps }] of Object.entries(draft.forms)) {
    if (fields?.includes(name)) uses.push(`form “${form}”`)
    for (const { step, fields: shown, visibleWhen } of steps ?? []) {
      if (shown?.includes(name)) uses.push(`step “${step}” of form “${form}”`)
      if (reads(visibleWhen)) uses.push(`when step “${step}” of form “${form}” is shown`)
    }
  }
  return uses
}

/** For `mapReferences`: removes one field. */
export const without =
  (removed: string): NewName =>
  (name) =>
    name === removed ? null : name
