import { isRecord } from '../../../../contract/fields/profile-values.ts'
import type { PresentationSection } from '../../../../contract/profile-schema.ts'
import { refuseName } from '../schema-names.ts'
import { type ComponentsByName, defineShownFields, defineTitles } from './define-field-names.ts'
import type { SchemaProblems } from './schema-problems.ts'

const MAX_SECTIONS = 50

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
  const fields = defineShownFields(input['fields'], `${path}.fields`, components, problems)
  return { section: section as string, ...defineTitles(input, path, problems), fields }
}
