import type { Draft, DraftField, ProfileMigration } from '../draft.ts'
import { takesOptions } from '../field-kinds.ts'
import { describeMigration } from '../migration-words.ts'
import { mapMigration, readBy, withoutTarget, writtenBy } from '../references.ts'
import { readStoredNames, writeStoredNames } from '../stored-names.ts'
import type { Decisions } from './conflicts.ts'
import type { Sides } from './merge-fields.ts'
import { isSame } from './same.ts'

interface Merged {
  /** The fields of the merged document by id, under their final names. */
  readonly fields: ReadonlyMap<string, DraftField>
  /** The final values of options, by field and by id. */
  readonly optionValues: ReadonlyMap<string, ReadonlyMap<string, string>>
}

/**
 * The steps from theirs to the merged document: stored values move from the names they have in theirs, and the other steps
 * of mine follow. A step is left out when the field that it writes is gone, or takes other values now.
 */
export function mergeMigrations(
  decisions: Decisions,
  draft: Draft,
  sides: Sides,
  { fields, optionValues }: Merged,
): ProfileMigration[] {
  const { mine, theirs } = sides
  const stored = readStoredNames(draft.migrations)
  const moved = new Map<string, string | null>()
  const rest = stored.rest.flatMap((step) => {
    const next = mergeStep(step)
    if (next === null) decisions.notices.push(`Left out of the migrations: ${describeMigration(step)}`)
    return next ?? []
  })
  // Steps of mine can read values of a field that it removed.
  const read = new Set(rest.flatMap(readBy))
  const names = new Set([...fields.values()].map(({ name }) => name))
  // In the order of mine: steps that do the same stay the same.
  for (const id of new Set([...[...stored.moved.keys()].map((from) => `=${from}`), ...theirs.fields.keys()])) {
    const name = theirs.fields.get(id)?.name
    if (name === undefined) continue
    const final = fields.get(id)?.name
    if (final !== undefined && final !== name) moved.set(name, final)
    const to = stored.moved.get(id.slice(1))
    if (final === undefined && (to === null || (to !== undefined && read.has(to) && !names.has(to))))
      moved.set(name, to)
  }
  const nameInTheirs = new Set([...theirs.fields.values()].map(({ name }) => name))
  for (const [from, to] of stored.moved) {
    // Values of a field that no document has any more.
    if (sides.base.fields.has(`=${from}`) || nameInTheirs.has(from)) continue
    const final = to === null ? null : fields.get(mine.idOf(to))?.name
    if (final !== undefined) moved.set(from, final)
  }
  return writeStoredNames({ moved, rest })

  function newName(name: string): string {
    const id = mine.idOf(name)
    const origin = id === name ? `=${name}` : id
    return fields.get(origin)?.name ?? theirs.fields.get(origin)?.name ?? name
  }

  function mergeStep(step: ProfileMigration): ProfileMigration | null {
    const fits = (name: string) => {
      const id = mine.idOf(name)
      const [own, final] = [mine.fields.get(id), fields.get(id)]
      return final !== undefined && own?.type === final.type && isSame(own.rules, final.rules)
    }
    let kept: ProfileMigration | null = step
    for (const name of writtenBy(step)) if (kept !== null && !fits(name)) kept = withoutTarget(kept, name)
    if (kept === null) return null
    if ('cast' in kept && isDone(kept.cast.field)) return null
    kept = withFinalValues(kept)
    const next = kept && mapMigration(kept, newName)
    // Both renamed different fields to one.
    return next && 'copy' in next && next.copy.from === next.copy.to ? null : next
  }

  /** Their version has cast the values already. */
  function isDone(name: string): boolean {
    const id = mine.idOf(name)
    const [before, other] = [sides.base.fields.get(id), theirs.fields.get(id)]
    return other !== undefined && before?.type !== other.type && other.type === fields.get(id)?.type
  }

  /** The step with the options of the merged field; null when it writes one that is gone. */
  function withFinalValues(step: ProfileMigration): ProfileMigration | null {
    if ('default' in step) {
      const id = mine.idOf(step.default.field)
      if (!takesOptions(fields.get(id)!.type)) return step
      const values = [step.default.value].flat().map((value) => finalValue(id, value))
      if (values.includes(undefined)) return null
      const value = Array.isArray(step.default.value) ? (values as string[]) : values[0]!
      return { default: { ...step.default, value } }
    }
    if (!('map' in step)) return step
    const id = mine.idOf(step.map.field)
    if (!takesOptions(fields.get(id)!.type)) return step
    const values = Object.entries(step.map.values).flatMap(([from, to]): [string, typeof to][] => {
      const next = to === null ? null : finalValue(id, to)
      const now = theirs.optionValues.get(id)?.get(from) ?? from
      return next === undefined || next === now ? [] : [[now, next as typeof to]]
    })
    return { map: { ...step.map, values: Object.fromEntries(values) } }
  }

  /** The value in the merged document of an option of mine; undefined when it is gone. */
  function finalValue(id: string, value: unknown): string | undefined {
    const [option] = [...mine.optionValues.get(id)!].find(([, one]) => one === value) ?? []
    const isLeft = fields.get(id)!.options?.some((one) => one.value === option)
    return isLeft ? optionValues.get(id)!.get(option!) : undefined
  }
}
