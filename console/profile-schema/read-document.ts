import { isRecord } from '../../contract/fields/profile-values.ts'
import type { SchemaDocument } from './draft.ts'
import { fieldTypes } from './fields/field-kinds.ts'

type Members = Readonly<Record<string, unknown>>

/**
 * What a text must be so that the editor can show it. The server judges everything else.
 * @returns the problem with its path, or null
 */
export function refuseDocument(value: unknown): string | null {
  if (!isRecord(value)) return 'A profile schema is an object with "components"'
  const { $schema: _schema, version, components, presentation = [], forms = {}, migrations = [], ...others } = value
  const [unknown] = Object.keys(others)
  if (unknown !== undefined) return refuseUnknown(unknown)
  if (version !== undefined && typeof version !== 'string') return 'version: must be a string'
  if (!Array.isArray(components)) return 'components: must be an array'
  if (!Array.isArray(presentation)) return 'presentation: must be an array'
  if (!isRecord(forms)) return 'forms: must be an object'
  if (!Array.isArray(migrations)) return 'migrations: must be an array'
  return (
    first(components, (component, index) => refuseComponent(component, `components.${index}`)) ??
    first(presentation, (section, index) => refuseSection(section, `presentation.${index}`)) ??
    first(Object.entries(forms), ([name, form]) => refuseForm(form, `forms.${name}`)) ??
    first(migrations, (step, index) => refuseStep(step, `migrations.${index}`))
  )
}

/** What a draft does not keep never reaches the server, which could not refuse it. */
const refuseUnknown = (path: string): string => `${path}: unknown property`

/** The document of a text that was accepted. */
export const readDocument = (value: unknown): SchemaDocument => {
  const { $schema: _schema, ...document } = value as SchemaDocument & { $schema?: string }
  return document
}

function first<T>(items: readonly T[], refuse: (item: T, index: number) => string | null): string | null {
  for (const [index, item] of items.entries()) {
    const problem = refuse(item, index)
    if (problem !== null) return problem
  }
  return null
}

function refuseComponent(component: unknown, path: string): string | null {
  if (!isRecord(component)) return `${path}: must be an object`
  const { key, name, type, options = [], rules = {}, messages = {} } = component
  if (key !== undefined) return refuseUnknown(`${path}.key`)
  if (typeof name !== 'string') return `${path}.name: must be a string`
  if (!fieldTypes.includes(type as never)) return `${path}.type: must be one of ${fieldTypes.join(', ')}`
  if (!Array.isArray(options)) return `${path}.options: must be an array`
  if (!isRecord(rules)) return `${path}.rules: must be an object`
  if (!isRecord(messages)) return `${path}.messages: must be an object`
  return (
    refuseTexts(component, ['label', 'description', 'placeholder'], path) ??
    refuseTexts(messages, Object.keys(messages), `${path}.messages`) ??
    refuseConditions(component, ['visibleWhen', 'requiredWhen', 'lockedWhen'], path) ??
    first(options, (option, index) => {
      const at = `${path}.options.${index}`
      if (!isRecord(option) || typeof option['value'] !== 'string') return `${at}.value: must be a string`
      return refuseTexts(option, ['label'], at) ?? refuseConditions(option, ['when'], at)
    })
  )
}

function refuseSection(section: unknown, path: string): string | null {
  if (!isRecord(section) || typeof section['section'] !== 'string') return `${path}.section: must be a string`
  if (section['key'] !== undefined) return refuseUnknown(`${path}.key`)
  if (!areNames(section['fields'])) return `${path}.fields: must be an array of field names`
  return refuseTexts(section, ['title', 'description'], path)
}

function refuseForm(form: unknown, path: string): string | null {
  if (!isRecord(form)) return `${path}: must be an object`
  const { steps = [] } = form
  if (!Array.isArray(steps)) return `${path}.steps: must be an array`
  return (
    refuseFields(form, path) ??
    first(steps, (step, index) => {
      const at = `${path}.steps.${index}`
      if (!isRecord(step) || typeof step['step'] !== 'string') return `${at}.step: must be a string`
      return refuseFields(step, at) ?? refuseConditions(step, ['visibleWhen'], at)
    })
  )
}

function refuseFields(part: Members, path: string): string | null {
  for (const key of ['fields', 'required']) {
    if (part[key] !== undefined && !areNames(part[key])) return `${path}.${key}: must be an array of field names`
  }
  return refuseTexts(part, ['title', 'description'], path)
}

const areNames = (value: unknown): boolean => Array.isArray(value) && value.every((name) => typeof name === 'string')

function refuseTexts(part: Members, keys: readonly string[], path: string): string | null {
  const isText = (value: unknown) =>
    typeof value === 'string' ||
    (isRecord(value) && Object.values(value).every((wording) => typeof wording === 'string'))
  const wrong = keys.find((key) => part[key] !== undefined && !isText(part[key]))
  return wrong === undefined ? null : `${path}.${wrong}: must be a text, or one for each language`
}

function refuseConditions(part: Members, keys: readonly string[], path: string): string | null {
  const wrong = keys.find((key) => part[key] !== undefined && !isCondition(part[key], 8))
  return wrong === undefined
    ? null
    : `${path}.${wrong}: must be a comparison such as {"field": "country", "is": "FR"}, or {"all": […]}, {"any": […]}, {"not": …}`
}

function isCondition(value: unknown, depth: number): boolean {
  if (!isRecord(value) || depth === 0) return false
  for (const key of ['all', 'any']) {
    const parts = value[key]
    if (parts !== undefined) return Array.isArray(parts) && parts.every((part) => isCondition(part, depth - 1))
  }
  if (value['not'] !== undefined) return isCondition(value['not'], depth - 1)
  const lists = [value['in'], value['notIn']].filter((list) => list !== undefined)
  return typeof value['field'] === 'string' && lists.every((list) => Array.isArray(list))
}

const members: Readonly<Record<string, readonly string[]>> = {
  ...{ rename: ['from', 'to'], copy: ['from', 'to'], default: ['field'], cast: ['field', 'to'] },
  ...{ map: ['field'], split: ['from', 'separator'], join: ['to', 'separator'] },
}

function refuseStep(step: unknown, path: string): string | null {
  if (!isRecord(step)) return `${path}: must be an object`
  const [kind = '', ...more] = Object.keys(step)
  if (more.length > 0 || (kind !== 'drop' && !Object.hasOwn(members, kind))) {
    return `${path}: must have exactly one of rename, copy, drop, default, map, cast, split, join`
  }
  const inside = step[kind]
  if (kind === 'drop') return typeof inside === 'string' ? null : `${path}.drop: must be a field name`
  if (!isRecord(inside)) return `${path}.${kind}: must be an object`
  const wrong = members[kind]!.find((key) => typeof inside[key] !== 'string')
  if (wrong !== undefined) return `${path}.${kind}.${wrong}: must be a string`
  if (kind === 'map' && !isRecord(inside['values'])) return `${path}.map.values: must be an object`
  const names = kind === 'split' ? inside['to'] : kind === 'join' ? inside['from'] : []
  return areNames(names) ? null : `${path}.${kind}: must name fields in an array`
}
