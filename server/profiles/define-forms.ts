import type { ProfileForm } from '../../contract/profile-schema.ts'
import type { ComponentsByName } from './define-field-names.ts'
import { defineTitles } from './define-field-names.ts'
import { defineFormFields } from './define-form-fields.ts'
import { defineFormSteps } from './define-form-steps.ts'
import { refuseName } from './schema-names.ts'
import { at, isRecord, type SchemaProblems } from './schema-problems.ts'

const MAX_FORMS = 50
const KEYS = ['title', 'description', 'fields', 'required', 'steps']

/** Checks the forms: valid names, and either fields of the schema with those that are required, or steps. */
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
  problems.refuseOtherKeys(path, input, KEYS)
  const texts = defineTitles(input, path, problems)
  if (input['steps'] === undefined) return { ...texts, ...defineFormFields(input, path, components, problems) }
  if (name === 'signUp') {
    const advice = 'use "fields" and "required" here, and another form with steps for what the user completes later'
    problems.add(`${path}.steps`, `a sign-up is one request, so its form has no steps; ${advice}`)
  } else if (input['fields'] !== undefined || input['required'] !== undefined) {
    problems.add(`${path}.steps`, 'a form has either "fields" with "required", or "steps"; remove one of them')
  }
  return { ...texts, steps: defineFormSteps(input['steps'], `${path}.steps`, components, problems) }
}
