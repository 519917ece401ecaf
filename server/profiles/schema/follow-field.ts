import type { ProfileMigration } from '../../../contract/profile-schema.ts'

/** A field that has the value of an earlier one, or a part of it, after migrations. */
interface Successor {
  readonly name: string
  /** false: `split` or `join` put a part of the value there, or the value beside others. */
  readonly whole: boolean
  /** A step casts the value. */
  readonly cast: boolean
}

/**
 * The fields that have a field's value after the migrations, the one that kept or inherited its name first; none when the
 * migrations drop it or replace it with another field's value.
 */
export function followField(name: string, migrations: readonly ProfileMigration[]): Successor[] {
  const found = new Map<string, Successor>([[name, { name, whole: true, cast: false }]])
  for (const step of migrations) followStep(found, step)
  return [...found.values()]
}

function followStep(found: Map<string, Successor>, step: ProfileMigration): void {
  if ('rename' in step) {
    follow(found, step.rename.from, step.rename.to)
    found.delete(step.rename.from)
  } else if ('copy' in step) {
    follow(found, step.copy.from, step.copy.to)
  } else if ('drop' in step) {
    found.delete(step.drop)
  } else if ('cast' in step) {
    const held = found.get(step.cast.field)
    if (held) found.set(held.name, { ...held, cast: true })
  } else if ('split' in step) {
    const held = found.get(step.split.from)
    for (const to of step.split.to) replace(found, to, held && { ...held, whole: false })
  } else if ('join' in step) {
    const held = step.join.from.map((from) => found.get(from)).find((successor) => successor !== undefined)
    replace(found, step.join.to, held && { ...held, whole: false })
  }
}

const follow = (found: Map<string, Successor>, from: string, to: string) => replace(found, to, found.get(from))

/** The field gets the value that is followed, or that of another field. */
function replace(found: Map<string, Successor>, name: string, by: Successor | undefined): void {
  if (by === undefined) found.delete(name)
  else found.set(name, { ...by, name })
}
