import type { ComponentOption, Draft } from '../draft.ts'
import type { ControlPlace } from '../problems/place-problems.ts'

/** What was typed for a name and cannot be one, by the place of the name. It is not in the draft. */
export type UnusableNames = Readonly<Record<string, string>>

/**
 * The place of a name, also after its field or option was moved.
 * @param owner `field:<key>` or `form`
 * @param name as it is in the draft
 */
export const namePlace = (owner: string, name: string): string => JSON.stringify([owner, name])

/** The place of the value of an option. Options may have the same value until one of them is corrected. */
export function optionPlace(field: string, options: readonly ComponentOption[], index: number): string {
  const { value } = options[index]!
  const before = options.slice(0, index).filter((option) => option.value === value).length
  return namePlace(`options:${field}:${before}`, value)
}

/** Every name of a draft by its place, with its input. */
function namesOf(draft: Draft): [string, ControlPlace][] {
  const fields = draft.fields.flatMap(({ key, name, options = [] }): [string, ControlPlace][] => {
    const field = { view: 'fields', owner: `field:${key}` } as const
    return [
      [namePlace(`field:${key}`, name), { ...field, tab: 'basics', control: `field:${key}.name` }],
      ...options.map((_, index): [string, ControlPlace] => [
        optionPlace(key, options, index),
        { ...field, tab: 'options', control: `field:${key}.options.${index}.value` },
      ]),
    ]
  })
  const forms = Object.keys(draft.forms).map((form): [string, ControlPlace] => [
    namePlace('form', form),
    { view: 'forms', owner: `form:${form}`, control: `form:${form}.name` },
  ])
  return [...fields, ...forms]
}

/** The inputs of the names that cannot be used, in the order of the draft. */
export const inputsOf = (names: UnusableNames, draft: Draft): ControlPlace[] =>
  namesOf(draft).flatMap(([place, input]) => (names[place] === undefined ? [] : [input]))

/** Without the names of what was removed or renamed since. */
export function stillUnusable(names: UnusableNames, draft: Draft): UnusableNames {
  const places = new Map(namesOf(draft))
  return Object.fromEntries(Object.entries(names).filter(([place]) => places.has(place)))
}
