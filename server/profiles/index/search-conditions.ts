import { readDate } from '../../../contract/fields/calendar.ts'
import { INVALID_STRING, tooShort } from '../../../contract/fields/messages.ts'
import { ownValue } from '../../../contract/fields/profile-values.ts'
import { isSoundText } from '../../../contract/fields/sound-text.ts'
import { maxIssues } from '../../../contract/validation-messages.ts'
import type { PublishedVersion } from '../../tenants/tenant.ts'
import type { SchemaComponent } from '../schema/schema-component.ts'
import { searchValue } from './index-values.ts'
import { beginningWith, between, exactly, type SearchRange } from './profile-search.ts'

type FieldType = SchemaComponent['type']

/** Comes before the parameters' names in the request, with a dot. */
const group = 'profile'
const maxConditions = 3
const prefixTypes: readonly FieldType[] = ['text', 'email', 'phone', 'url']
const rangeTypes: readonly FieldType[] = ['number', 'integer', 'date']
const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** What a search must find, in the order of the parameters; or what is wrong with them, by parameter. */
type ReadConditions =
  | { readonly ranges: readonly [SearchRange, ...SearchRange[]] }
  | { readonly validation: Record<string, string> }

/**
 * Reads the conditions of a search.
 * @param parameters at least one; the values as text, by `<field>` or `<field>.<operator>`
 */
export function readConditions(
  parameters: Readonly<Record<string, string>>,
  version: Pick<PublishedVersion, 'schema' | 'indexKeys'>,
): ReadConditions {
  const searchable = searchableFields(version)
  const ranges = new Map<string, SearchRange>()
  const problems = new Map<string, string>()
  for (const [parameter, text] of Object.entries(parameters)) {
    const name = `${group}.${parameter}`
    const { field, operator } = splitName(parameter)
    const found = searchable.get(field)
    const range = found === undefined ? 'Not searchable' : readRange(found, operator, text)
    if (typeof range === 'string') {
      problems.set(name, range)
      continue
    }
    const isBound = operator === 'min' || operator === 'max'
    const key = isBound ? `${field}.min and max` : parameter
    if (ranges.size === maxConditions && !ranges.has(key)) {
      problems.set(name, `Too many conditions; at most ${maxConditions}, where min and max of a field are one`)
    } else {
      ranges.set(key, intersection(ranges.get(key), range))
    }
  }
  if (problems.size > 0) return { validation: Object.fromEntries([...problems].slice(0, maxIssues)) }
  return { ranges: [...ranges.values()] as [SearchRange, ...SearchRange[]] }
}

/** Names of fields contain no dot. */
function splitName(parameter: string): { field: string; operator: string | null } {
  const dot = parameter.indexOf('.')
  if (dot === -1) return { field: parameter, operator: null }
  return { field: parameter.slice(0, dot), operator: parameter.slice(dot + 1) }
}

/** A field that the index contains. */
interface SearchableField {
  readonly name: string
  readonly type: FieldType
  /** Its name in the index. */
  readonly key: string
}

function searchableFields({ schema, indexKeys }: Pick<PublishedVersion, 'schema' | 'indexKeys'>) {
  const components: readonly SchemaComponent[] = schema.components
  const fields = components.flatMap(({ name, type, searchable }): SearchableField[] => {
    const key = ownValue(indexKeys ?? {}, name)
    return searchable === true && key !== undefined ? [{ name, type, key }] : []
  })
  return new Map(fields.map((field) => [field.name, field]))
}

/** The range of a parameter, or what is wrong with it. */
function readRange({ name, type, key }: SearchableField, operator: string | null, text: string): SearchRange | string {
  const allowed = operatorsOf(type)
  if (operator !== null && !allowed.includes(operator)) {
    const names = ['', ...allowed].map((each) => [group, name, each].filter(Boolean).join('.'))
    return `Unknown operator; allowed for ${type} fields: ${names.join(', ')}`
  }
  if (!isSoundText(text)) return INVALID_STRING
  const problem = refuseValue(type, text)
  if (problem !== null) return problem
  const value = searchValue(type, typedValue(type, text))
  if (value === null || value === '') return tooShort(1)
  if (operator === 'prefix') return beginningWith(key, value)
  if (operator === null) return exactly(key, value)
  return operator === 'min' ? between(key, value, null) : between(key, null, value)
}

function operatorsOf(type: FieldType): readonly string[] {
  if (rangeTypes.includes(type)) return ['min', 'max']
  return prefixTypes.includes(type) ? ['prefix'] : []
}

function refuseValue(type: FieldType, text: string): string | null {
  if (type === 'number' || type === 'integer') {
    const isNumber = jsonNumber.test(text) && Number.isFinite(Number(text))
    return isNumber ? null : 'Expected a number, such as 18 or -2.5'
  }
  if (type === 'boolean') return text === 'true' || text === 'false' ? null : 'Expected true or false'
  if (type === 'date') return readDate(text) === undefined ? 'Expected a date, such as 2024-02-29' : null
  return null
}

function typedValue(type: FieldType, text: string): string | number | boolean {
  if (type === 'number' || type === 'integer') return Number(text)
  return type === 'boolean' ? text === 'true' : text
}

/** Bounds are ASCII, which JavaScript compares like their bytes. */
function intersection(known: SearchRange | undefined, { field, from, to }: SearchRange): SearchRange {
  if (known === undefined) return { field, from, to }
  return { field, from: known.from > from ? known.from : from, to: known.to < to ? known.to : to }
}
