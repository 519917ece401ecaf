/** Conditions on profile fields as the API has them: a text by `<field>` or `<field>.<operator>`. */
export type Conditions = Readonly<Record<string, string>>

/** What the API takes of a search. */
export const maxConditions = 3

/** Conditions in the URL of the page, named as in the API. */
export type ConditionSearch = { readonly [parameter: `profile.${string}`]: string }

const group = 'profile.'

/** The conditions among the parameters of a URL, in their order: the first one gives the order of the users. */
export function conditionsIn(search: object): Conditions {
  const found = Object.entries(search).filter(
    ([name, value]) => name.startsWith(group) && value !== undefined && value !== null && value !== '',
  )
  return Object.fromEntries(found.map(([name, value]) => [name.slice(group.length), String(value)]))
}

export const parametersOf = (conditions: Conditions): ConditionSearch =>
  Object.fromEntries(Object.entries(conditions).map(([name, value]) => [`${group}${name}`, value]))

/** What counts as one condition: a comparison of one field, or both ends of its range. */
export interface Comparison {
  readonly field: string
  readonly operator: string
  readonly values: Conditions
}

/** The field and operator of a parameter. Names of fields contain no dot. */
function split(parameter: string): { field: string; operator: string } {
  const [field = '', operator = 'equal'] = parameter.split('.', 2)
  return { field, operator: operator === 'min' || operator === 'max' ? 'range' : operator }
}

export function comparisonsOf(conditions: Conditions): readonly Comparison[] {
  const found = new Map<string, Comparison>()
  for (const [parameter, value] of Object.entries(conditions)) {
    const { field, operator } = split(parameter)
    const key = `${field}.${operator}`
    found.set(key, { field, operator, values: { ...found.get(key)?.values, [parameter]: value } })
  }
  return [...found.values()]
}

/** Without those on a field. */
export const withoutField = (conditions: Conditions, field: string): Conditions =>
  Object.fromEntries(Object.entries(conditions).filter(([parameter]) => split(parameter).field !== field))

/** Without those of a comparison. A field can have a name that every object inherits, such as `toString`. */
export const withoutComparison = (conditions: Conditions, { values }: Comparison): Conditions =>
  Object.fromEntries(Object.entries(conditions).filter(([parameter]) => !Object.hasOwn(values, parameter)))

/** A comparison as a sentence: “City is Paris”, “Age from 18 to 30”. */
export function inWords({ field, operator, values }: Comparison, label: string, named: (value: string) => string) {
  const of = (name: string) => (values[name] === undefined ? undefined : named(values[name]))
  if (operator === 'range') {
    const [min, max] = [of(`${field}.min`), of(`${field}.max`)]
    if (min === undefined) return `${label} up to ${max}`
    return max === undefined ? `${label} from ${min}` : `${label} from ${min} to ${max}`
  }
  if (operator === 'equal') return `${label} is ${of(field)}`
  const value = of(`${field}.${operator}`)
  return operator === 'prefix' ? `${label} begins with “${value}”` : `${label} ${operator} ${value}`
}
