import type { ProfileMigration } from '../draft.ts'
import { takesOptions } from '../fields/field-kinds.ts'
import { mapMigration, withoutTarget, writtenBy } from '../references.ts'
import type { Sides } from './merge-fields.ts'
import type { NamedFields } from './names.ts'
import { isSame } from './same.ts'

/** The step of mine in the merged document; null when the field that it writes is gone, or takes other values now. */
export function mergeMigration(step: ProfileMigration, sides: Sides, merged: NamedFields): ProfileMigration | null {
  let kept: ProfileMigration | null = step
  for (const name of writtenBy(step)) {
    if (kept !== null && !takesSameValues(name, sides, merged)) kept = withoutTarget(kept, name)
  }
  if (kept === null) return null
  if ('cast' in kept && isCastInTheirs(kept.cast.field, sides, merged)) return null
  kept = withFinalValues(kept, sides, merged)
  const next = kept && mapMigration(kept, (name) => finalName(name, sides, merged))
  // Both renamed different fields to one.
  return next && 'copy' in next && next.copy.from === next.copy.to ? null : next
}

/** Whether the field of mine is in the merged document, and takes the values that it takes in mine. */
function takesSameValues(name: string, { mine }: Sides, { fields }: NamedFields): boolean {
  const id = mine.idOf(name)
  const [own, final] = [mine.fields.get(id), fields.get(id)]
  return final !== undefined && own?.type === final.type && isSame(own.rules, final.rules)
}

/** Whether their version has cast the values of the field already. */
function isCastInTheirs(name: string, { base, mine, theirs }: Sides, { fields }: NamedFields): boolean {
  const id = mine.idOf(name)
  const [before, other] = [base.fields.get(id), theirs.fields.get(id)]
  return other !== undefined && before?.type !== other.type && other.type === fields.get(id)?.type
}

function finalName(name: string, { mine, theirs }: Sides, { fields }: NamedFields): string {
  const id = mine.idOf(name)
  const origin = id === name ? `=${name}` : id
  return fields.get(origin)?.name ?? theirs.fields.get(origin)?.name ?? name
}

/** The step with the options of the merged field; null when it writes one that is gone. */
function withFinalValues(step: ProfileMigration, sides: Sides, merged: NamedFields): ProfileMigration | null {
  if ('default' in step) return withFinalDefault(step, sides, merged)
  return 'map' in step ? withFinalMapping(step, sides, merged) : step
}

type StepOf<Act extends string> = Extract<ProfileMigration, Readonly<Record<Act, unknown>>>

function withFinalDefault(step: StepOf<'default'>, { mine }: Sides, merged: NamedFields): ProfileMigration | null {
  const id = mine.idOf(step.default.field)
  if (!takesOptions(merged.fields.get(id)!.type)) return step
  const values = [step.default.value].flat().map((value) => finalValue(id, value, mine, merged))
  if (values.includes(undefined)) return null
  const value = Array.isArray(step.default.value) ? (values as string[]) : values[0]!
  return { default: { ...step.default, value } }
}

function withFinalMapping(step: StepOf<'map'>, { mine, theirs }: Sides, merged: NamedFields): ProfileMigration {
  const id = mine.idOf(step.map.field)
  if (!takesOptions(merged.fields.get(id)!.type)) return step
  const values = Object.entries(step.map.values).flatMap(([from, to]): [string, typeof to][] => {
    const next = to === null ? null : finalValue(id, to, mine, merged)
    const now = theirs.optionValues.get(id)?.get(from) ?? from
    return next === undefined || next === now ? [] : [[now, next as typeof to]]
  })
  return { map: { ...step.map, values: Object.fromEntries(values) } }
}

/** The value in the merged document of an option of mine; undefined when it is gone. */
function finalValue(id: string, value: unknown, mine: Sides['mine'], merged: NamedFields): string | undefined {
  const [option] = [...mine.optionValues.get(id)!].find(([, one]) => one === value) ?? []
  const isLeft = merged.fields.get(id)!.options?.some((one) => one.value === option)
  return isLeft ? merged.optionValues.get(id)!.get(option!) : undefined
}
