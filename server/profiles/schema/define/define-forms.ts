import { isRecord } from '../../../../contract/fields/profile-values.ts'
import type { ProfileForm } from '../../../../contract/profile-schema.ts'
import { refuseName } from '../schema-names.ts'
import type { ConditionScope } from './define-conditions.ts'
import { defineTitles } from './define-field-names.ts'
import { defineFormFields } from './define-form-fields.ts'
import { defineFormSteps } from './define-form-steps.ts'
import { at, type SchemaProblems } from './schema-problems.ts'

const MAX_FORMS = 50
const KEYS = ['title', 'description', 'fields', 'required', 'steps', 'prompt', 'promptAgainDays']
const MOST_DAYS = 3650

/** Checks the forms: valid names, and either fields of the schema with those that are required, or steps. */
export function defineForms(input: unknown, scope: ConditionScope): Record<string, ProfileForm> {
  const { problems } = scope
  if (input === undefined) return {}
  if (!isRecord(input) || Object.keys(input).length > MAX_FORMS) {
    problems.add(
      'forms',
      `must be an object of at most ${MAX_FORMS} forms, such as {"signUp": {"fields": ["firstName"]}}`,
    )
    return {}
  }
  const forms = Object.entries(input).map(([name, form]) => [name, defineForm(name, form, scope)] as const)
  refuseSecondPrompt(forms, problems)
  return Object.fromEntries(forms)
}

/** An answer names one form to complete. */
function refuseSecondPrompt(forms: readonly (readonly [string, ProfileForm])[], problems: SchemaProblems): void {
  const [first, ...others] = forms.filter(([, { prompt }]) => prompt !== undefined)
  for (const [name] of others) {
    const problem = `form "${first![0]}" has "prompt" already; only one form of a schema can have it`
    problems.add(`${at('forms', name)}.prompt`, problem)
  }
}

function defineForm(name: string, input: unknown, scope: ConditionScope): ProfileForm {
  const { problems } = scope
  const path = at('forms', name)
  const problem = refuseName(name)
  if (problem !== null) problems.add(path, problem)
  if (!isRecord(input)) {
    problems.add(path, 'must be an object such as {"fields": ["firstName"], "required": ["firstName"]}')
    return { fields: [] }
  }
  problems.refuseOtherKeys(path, input, KEYS)
  const texts = defineTitles(input, path, problems)
  const content = defineContent(name, input, path, scope)
  return { ...texts, ...content, ...definePrompt(input, path, problems) }
}

/** Checks what the form consists of: fields, or steps. */
function defineContent(
  name: string,
  input: Readonly<Record<string, unknown>>,
  path: string,
  scope: ConditionScope,
): ProfileForm {
  const { components, problems } = scope
  if (input['steps'] === undefined) return defineFormFields(input, path, components, problems)
  if (name === 'signUp') {
    const advice = 'use "fields" and "required" here, and another form with steps for what the user completes later'
    problems.add(`${path}.steps`, `a sign-up is one request, so its form has no steps; ${advice}`)
  } else if (input['fields'] !== undefined || input['required'] !== undefined) {
    problems.add(`${path}.steps`, 'a form has either "fields" with "required", or "steps"; remove one of them')
  }
  return { steps: defineFormSteps(input['steps'], `${path}.steps`, scope) }
}

/** Checks whether answers name the form until it is complete, and how often. */
function definePrompt(
  { prompt, promptAgainDays: days }: Readonly<Record<string, unknown>>,
  path: string,
  problems: SchemaProblems,
): Pick<ProfileForm, 'prompt' | 'promptAgainDays'> {
  if (prompt !== undefined && prompt !== 'signIn') {
    problems.add(`${path}.prompt`, 'must be "signIn"; remove it for a form that answers do not name')
  }
  if (days !== undefined && !(Number.isInteger(days) && Number(days) >= 0 && Number(days) <= MOST_DAYS)) {
    problems.add(`${path}.promptAgainDays`, `must be an integer from 0 to ${MOST_DAYS}; omit it for 0, every time`)
  } else if (days !== undefined && prompt === undefined) {
    problems.add(`${path}.promptAgainDays`, 'only a form with "prompt" has it; add "prompt": "signIn" or remove it')
  }
  return {
    ...(prompt !== undefined && { prompt: 'signIn' as const }),
    ...(days !== undefined && { promptAgainDays: days as number }),
  }
}
