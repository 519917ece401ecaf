import type { PresentationSection, ProfileForm } from '../../contract/profile-schema.ts'
import { defineText } from './define-text.ts'
import type { SchemaComponent } from './schema-component.ts'
import { refuseName } from './schema-names.ts'
import { at, isRecord, type SchemaProblems } from './schema-problems.ts'

const MAX_SECTIONS = 50
const MAX_FORMS = 50
const MAX_TITLE_LENGTH = 200
const MAX_DESCRIPTION_LENGTH = 2000

/** The candidate's components by name; null for a component that has problems. */
export type ComponentsByName = ReadonlyMap<string, SchemaComponent | null>

/** Checks the presentation: sections with unique names that list fields of the schema. */
export function definePresentation(
  input: unknown,
  components: ComponentsByName,
  problems: SchemaProblems,
): PresentationSection[] {
  if (input === undefined) return []
  if (!Array.isArray(input) || input.length > MAX_SECTIONS) {
    problems.add('presentation', `must be an array of at most ${MAX_SECTIONS} sections`)
    return []
  }
  const taken = new Set<unknown>()
  // Array.from also visits holes, which are not sections.
  return Array.from(input, (section, index) =>
    defineSection(section, `presentation.${index}`, taken, components, problems),
  )
}

function defineSection(
  input: unknown,
  path: string,
  taken: Set<unknown>,
  components: ComponentsByName,
  problems: SchemaProblems,
): PresentationSection {
  if (!isRecord(input)) {
    problems.add(path, 'must be an object such as {"section": "about", "fields": ["firstName"]}')
    return { section: '', fields: [] }
  }
  const { section } = input
  problems.refuseOtherKeys(path, input, ['section', 'title', 'description', 'fields'])
  const problem =
    refuseName(section) ?? (taken.has(section) ? `duplicate section "${section}"; section names must be unique` : null)
  if (problem !== null) problems.add(`${path}.section`, problem)
  taken.add(section)
  const fields = defineFields(input['fields'], `${path}.fields`, components, problems)
  return { section: section as string, ...defineTexts(input, path, problems), fields }
}

/** Checks the forms: valid names, fields of the schema, and `required` a subset of the form's fields. */
export function defineForms(
  input: unknown,
  components: ComponentsByName,
  problems: SchemaProblems,
): Record<string, ProfileForm> {
  if (input === undefined) return {}
  if (!isRecord(input) || Object.keys(input).length > MAX_FORMS) {
    problems.add(
      'forms',
      `must be an object of at most ${MAX_FORMS} forms, such as {"signUp": {"fields": ["firstName"]}}`,
    )
    return {}
  }
  return Object.fromEntries(
    Object.entries(input).map(([name, form]) => [name, defineForm(name, form, components, problems)]),
  )
}

function defineForm(name: string, input: unknown, components: ComponentsByName, problems: SchemaProblems): ProfileForm {
  const path = at('forms', name)
  const problem = refuseName(name)
  if (problem !== null) problems.add(path, problem)
  if (!isRecord(input)) {
    problems.add(path, 'must be an object such as {"fields": ["firstName"], "required": ["firstName"]}')
    return { fields: [] }
  }
  problems.refuseOtherKeys(path, input, ['title', 'description', 'fields', 'required'])
  const fields = defineFields(input['fields'], `${path}.fields`, components, problems)
  const texts = defineTexts(input, path, problems)
  if (input['required'] === undefined) return { ...texts, fields }
  const required = defineFields(input['required'], `${path}.required`, components, problems)
  for (const [index, field] of required.entries()) {
    if (!fields.includes(field)) {
      problems.add(
        `${path}.required.${index}`,
        `"${field}" is not one of the form's fields; add it to fields or remove it from required`,
      )
    } else if (components.get(field)?.writable === false) {
      problems.add(
        `${path}.required.${index}`,
        `"${field}" is not writable, so clients cannot set it; remove it from required`,
      )
    }
  }
  return { ...texts, fields, required }
}

/** Checks an array of unique fields of the schema; returns the valid ones. */
function defineFields(input: unknown, path: string, components: ComponentsByName, problems: SchemaProblems): string[] {
  if (!Array.isArray(input)) {
    problems.add(path, 'must be an array of field names such as ["firstName"]')
    return []
  }
  const fields = new Set<string>()
  for (const [index, field] of input.entries()) {
    if (typeof field !== 'string' || !components.has(field)) {
      problems.add(`${path}.${index}`, 'unknown field; add a component with this name or remove it')
    } else if (fields.has(field)) {
      problems.add(`${path}.${index}`, `duplicate field "${field}"; remove it`)
    } else {
      fields.add(field)
    }
  }
  return [...fields]
}

function defineTexts(input: Record<string, unknown>, path: string, problems: SchemaProblems) {
  const title = defineText(input['title'], `${path}.title`, MAX_TITLE_LENGTH, problems)
  const description = defineText(input['description'], `${path}.description`, MAX_DESCRIPTION_LENGTH, problems)
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
}
