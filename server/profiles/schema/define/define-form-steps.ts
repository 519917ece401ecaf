import { isRecord } from '../../../../contract/fields/profile-values.ts'
import type { FormStep } from '../../../../contract/profile-schema.ts'
import { refuseName } from '../schema-names.ts'
import { type ConditionScope, defineCondition } from './define-conditions.ts'
import { defineTitles, fieldPath } from './define-field-names.ts'
import { defineFormFields } from './define-form-fields.ts'
import type { SchemaProblems } from './schema-problems.ts'

const MAX_STEPS = 20
const KEYS = ['step', 'title', 'description', 'fields', 'required', 'verify', 'visibleWhen']
const VERIFIED = ['email', 'phone']

/** The names of a form's steps, and the step of each field. */
interface Taken {
  readonly steps: Set<unknown>
  readonly fields: Map<string, string>
}

/** Checks the steps of a form: unique names, and either an address to verify or fields that no other step has. */
export function defineFormSteps(input: unknown, path: string, scope: ConditionScope): FormStep[] {
  if (!Array.isArray(input) || input.length === 0 || input.length > MAX_STEPS) {
    scope.problems.add(
      path,
      `must be an array of 1 to ${MAX_STEPS} steps, such as [{"step": "who", "fields": ["firstName"]}]`,
    )
    return []
  }
  const taken: Taken = { steps: new Set(), fields: new Map() }
  // Array.from also visits holes, which are not steps.
  return Array.from(input, (step, index) => defineStep(step, `${path}.${index}`, taken, scope))
}

function defineStep(input: unknown, path: string, taken: Taken, scope: ConditionScope): FormStep {
  const { problems } = scope
  if (!isRecord(input)) {
    problems.add(path, 'must be an object such as {"step": "who", "fields": ["firstName"]}')
    return { step: '' }
  }
  problems.refuseOtherKeys(path, input, KEYS)
  const step = defineStepName(input['step'], `${path}.step`, taken, problems)
  const titles = defineTitles(input, path, problems)
  const content =
    input['verify'] === undefined
      ? defineStepFields(input, path, step, taken, scope)
      : defineVerify(input, path, problems)
  // Everyone sees which steps there are, so the condition may not read what clients may not.
  const visibleWhen = defineCondition(input['visibleWhen'], `${path}.visibleWhen`, {}, scope)
  return { step, ...titles, ...content, ...(visibleWhen && { visibleWhen }) }
}

function defineStepFields(
  input: Readonly<Record<string, unknown>>,
  path: string,
  step: string,
  taken: Taken,
  { components, problems }: ConditionScope,
): Pick<FormStep, 'fields' | 'required'> {
  const content = defineFormFields(input, path, components, problems)
  for (const field of content.fields) {
    const other = taken.fields.get(field)
    if (other !== undefined) {
      const problem = `"${field}" is in step "${other}" already; a field can be in one step only, so remove one`
      problems.add(fieldPath(input['fields'], `${path}.fields`, field), problem)
    }
    taken.fields.set(field, step)
  }
  return content
}

function defineStepName(input: unknown, path: string, { steps }: Taken, problems: SchemaProblems): string {
  const problem =
    refuseName(input) ?? (steps.has(input) ? `duplicate step "${input}"; step names must be unique` : null)
  if (problem !== null) problems.add(path, problem)
  steps.add(input)
  // A refused name can be any value; problems of other steps then name its path.
  return typeof input === 'string' ? input : path
}

/** Checks a step that is complete when an address of the account is verified. */
function defineVerify(
  input: Readonly<Record<string, unknown>>,
  path: string,
  problems: SchemaProblems,
): Pick<FormStep, 'verify'> {
  const { verify, fields, required } = input
  if (!VERIFIED.includes(verify as string)) {
    problems.add(`${path}.verify`, 'must be "email" or "phone"; remove it for a step with fields')
  } else if (fields !== undefined || required !== undefined) {
    problems.add(`${path}.verify`, 'a step has either "fields" or "verify"; move one of them to another step')
  }
  return { verify: verify as NonNullable<FormStep['verify']> }
}
