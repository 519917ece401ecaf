import type { Condition } from '../../../contract/fields/conditions/condition.ts'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import type { JsonValue } from '../../../contract/fields/json-value.ts'
import type { Random } from '../../../test/campaign/seeded-random.ts'
import type { SchemaComponent } from './schema-component.ts'

const names = ['a', 'b', 'c', 'd', 'e', 'toString'] as const
const types = ['text', 'integer', 'boolean', 'date', 'select', 'multiselect'] as const
type Type = (typeof types)[number]
const choices = ['x', 'y', 'z']

/** Values of each type that the field may have; most are often repeated, so that conditions hold often. */
const values: Readonly<Record<Type, readonly JsonValue[]>> = {
  text: ['x', 'yes', 'longer text'],
  integer: [0, 1, 2, 5],
  boolean: [true, false],
  date: ['1999-12-28', '2000-01-01', '2012-02-29'],
  select: choices,
  multiselect: [[], ['x'], ['y', 'x'], ['z']],
}
/** Values that some types or rules refuse. */
const strange: readonly JsonValue[] = [
  '',
  'x'.repeat(9),
  -7,
  1.5,
  'y',
  ['x', 'x'],
  ['no'],
  7,
  true,
  '2000-13-01',
  {},
  [],
]

/** A schema of six fields with random access and conditions; `visibleWhen` reads fields of a lower rank only. */
export function randomConditionalSchema(random: Random): SchemaComponent[] {
  const ofType = new Map(names.map((name) => [name, random.pick(types)] as const))
  const rank = random.shuffled(names)
  // Publishing refuses conditions of notes of the operator on other fields, and of other fields on notes.
  const [readOnly, unread] = [0.25, 0.15].map((chance) => names.filter(() => random.next() < chance))
  const isNote = (name: string) => [readOnly!, unread!].every((some) => some.includes(name as (typeof names)[number]))
  const condition = (fields: readonly string[]): Condition | undefined =>
    fields.length === 0 ? undefined : randomCondition(random, fields, ofType, 3)
  const sometimes = <T>(chance: number, key: string, value: () => T) =>
    random.next() < chance ? { [key]: value() } : {}
  return names.map((name): SchemaComponent => {
    const type = ofType.get(name)!
    const others = names.filter((other) => other !== name && isNote(other) === isNote(name))
    const lower = rank.slice(0, rank.indexOf(name)).filter((other) => isNote(other) === isNote(name))
    return {
      ...{ name, type },
      ...sometimes(0.15, 'required', () => true),
      ...(type === 'select' || type === 'multiselect'
        ? { options: randomOptions(random, () => condition(others)) }
        : {}),
      ...(type === 'text' ? sometimes(0.3, 'rules', () => ({ maxLength: 5 })) : {}),
      ...(type === 'integer' ? sometimes(0.3, 'rules', () => ({ min: 1 })) : {}),
      ...(readOnly!.includes(name) ? { writable: false } : {}),
      ...sometimes(0.2, 'writeOnce', () => true),
      ...(unread!.includes(name) ? { readable: false } : {}),
      ...sometimes(0.25, 'lockedWhen', () => condition(others)),
      ...(lower.length > 0 ? sometimes(0.5, 'visibleWhen', () => condition(lower)) : {}),
      ...sometimes(0.3, 'requiredWhen', () => condition(others)),
    }
  })
}

function randomOptions(random: Random, when: () => Condition | undefined) {
  return choices.map((value) => (random.next() < 0.4 ? { value, when: when() } : { value }))
}

type Types = ReadonlyMap<string, Type>

function randomCondition(random: Random, fields: readonly string[], ofType: Types, depth: number): Condition {
  if (depth > 0 && random.next() < 0.4) {
    const part = () => randomCondition(random, fields, ofType, depth - 1)
    const parts = () => Array.from({ length: 1 + random.below(2) }, part)
    return random.pick([() => ({ all: parts() }), () => ({ any: parts() }), () => ({ not: part() })])()
  }
  const field = random.pick(fields)
  const type = ofType.get(field)!
  const comparands = (type === 'multiselect' ? choices : values[type]) as readonly (string | number | boolean)[]
  const some = () => random.shuffled(comparands).slice(0, 1 + random.below(comparands.length))
  const isOrdered = type === 'integer' || type === 'date'
  return random.pick<() => Condition>([
    () => ({ field, is: random.pick(comparands) }),
    () => ({ field, isNot: random.pick(comparands) }),
    () => ({ field, in: some() }),
    () => ({ field, notIn: some() }),
    () => ({ field, set: random.next() < 0.5 }),
    () => (isOrdered ? randomRange(random, field, comparands as readonly (string | number)[]) : { field, set: true }),
  ])()
}

function randomRange(random: Random, field: string, comparands: readonly (string | number)[]): Condition {
  const [min, max] = [random.pick(comparands), random.pick(comparands)].sort((one, other) => (one < other ? -1 : 1))
  return random.pick<Condition>([
    { field, min: min! },
    { field, max: max! },
    { field, min: min!, max: max! },
  ])
}

/** Values for some of the fields, mostly valid ones. */
export function randomValues(random: Random, components: readonly SchemaComponent[], nulls: boolean): ProfileValues {
  const some = components.filter(() => random.next() < 0.6)
  return Object.fromEntries(
    some.map(({ name, type }) => {
      if (nulls && random.next() < 0.2) return [name, null]
      return [name, random.pick(random.next() < 0.15 ? strange : values[type as Type])]
    }),
  )
}
