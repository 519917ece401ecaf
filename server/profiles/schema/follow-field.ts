import { fieldTypes } from '../../../contract/fields/field-types.ts'
import type { Expected } from '../../../contract/fields/messages.ts'
import type { ProfileMigration } from '../../../contract/profile-schema.ts'
import type { CastTarget } from '../migrations/cast-value.ts'

/** A field that has the value of an earlier one, or a part of it, after migrations. */
interface Successor {
  readonly name: string
  /** false: `split` or `join` put a part of the value there, or the value beside others. */
  readonly whole: boolean
  /** A step casts the value. */
  readonly cast: boolean
  /** The JSON type of the value, if it is known. */
  readonly json: Expected | undefined
}

/** JSON types of values that steps take; they leave others as they are. */
const split: readonly unknown[] = ['string', undefined]
const joined: readonly unknown[] = [...split, 'number', 'integer', 'boolean']

/**
 * The fields that have a field's value after the migrations, the one that kept or inherited its name first; none when the
 * migrations drop it or replace it with another field's value.
 * @param json the JSON type of its values
 */
export function followField(name: string, migrations: readonly ProfileMigration[], json?: Expected): Successor[] {
  const found = new Map<string, Successor>([[name, { name, whole: true, cast: false, json }]])
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
    if (held) found.set(held.name, { ...held, cast: true, json: jsonOf(step.cast.to) })
  } else if ('split' in step) {
    const held = found.get(step.split.from)
    if (held && !split.includes(held.json)) return
    for (const to of step.split.to) replace(found, to, held && partOf(held))
  } else if ('join' in step) {
    const held = step.join.from.map((from) => found.get(from)).find((one) => one && joined.includes(one.json))
    replace(found, step.join.to, held && partOf(held))
  }
}

const jsonOf = (type: CastTarget): Expected => fieldTypes[type].expects

const partOf = (held: Successor): Successor => ({ ...held, whole: false, json: 'string' })

const follow = (found: Map<string, Successor>, from: string, to: string) => replace(found, to, found.get(from))

/** The field gets the value that is followed, or that of another field. */
function replace(found: Map<string, Successor>, name: string, by: Successor | undefined): void {
  if (by === undefined) found.delete(name)
  else found.set(name, { ...by, name })
}
