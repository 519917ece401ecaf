import { SegmentedControl, Stack, Switch, Text } from '@mantine/core'
import { PlainNumber } from '../../parts/plain-number.tsx'
import type { FormStep, ProfileForm } from '../draft.ts'
import { LocalizedInput } from '../localized-input.tsx'
import { useProblemProps } from '../problems/problem-context.tsx'
import { withOrWithout } from '../references.ts'
import { FormFields } from './form-fields.tsx'
import { FormSteps } from './form-steps.tsx'

interface FormContentProps {
  readonly name: string
  readonly form: ProfileForm
  readonly onChange: (form: ProfileForm) => void
}

/** The texts of a form, what it consists of, and when users are asked for it. */
export function FormContent({ name, form, onChange }: FormContentProps) {
  const set = (key: keyof ProfileForm, value: unknown) => onChange(withOrWithout(form, key, value))
  const hasSteps = form.steps !== undefined
  // A sign-up is one request.
  const canHaveSteps = name !== 'signUp' || hasSteps
  return (
    <>
      <LocalizedInput label="Title" at="title" text={form.title} onChange={(title) => set('title', title)} />
      <LocalizedInput
        label="Description"
        at="description"
        text={form.description}
        onChange={(description) => set('description', description)}
        isLong
      />
      {canHaveSteps && (
        <SegmentedControl
          aria-label="Content"
          value={hasSteps ? 'steps' : 'fields'}
          onChange={(to) => onChange(to === 'steps' ? inOneStep(form) : atOnce(form))}
          data={[
            { value: 'fields', label: 'All fields at once' },
            { value: 'steps', label: 'In steps' },
          ]}
        />
      )}
      {hasSteps ? (
        <FormSteps steps={form.steps!} onChange={(steps) => set('steps', steps)} />
      ) : (
        <FormFields
          fields={form.fields ?? []}
          required={form.required}
          onChange={(fields, required) =>
            onChange(withOrWithout({ ...form, fields: [...fields] }, 'required', required))
          }
        />
      )}
      {name === 'signUp' ? (
        <Text size="xs" c="dimmed">
          The service requires these fields when a user signs up.
        </Text>
      ) : (
        <AfterSignIn form={form} onChange={onChange} />
      )}
    </>
  )
}

/** The form with its fields in a first step. */
function inOneStep({ fields = [], required = [], ...form }: ProfileForm): ProfileForm {
  const step: FormStep = { step: 'one', fields, ...(required.length > 0 && { required }) }
  return { ...form, steps: [step] }
}

/** The form without steps, with the fields of all of them. */
function atOnce({ steps = [], fields: _fields, required: _required, ...form }: ProfileForm): ProfileForm {
  const required = steps.flatMap((step) => step.required ?? [])
  return { ...form, fields: steps.flatMap((step) => step.fields ?? []), ...(required.length > 0 && { required }) }
}

/** Whether and when users are asked for the form. */
function AfterSignIn({ form, onChange }: Omit<FormContentProps, 'name'>) {
  const problem = useProblemProps()
  return (
    <Stack gap="sm">
      <Switch
        {...problem('prompt')}
        label="Ask for it after sign-in"
        description="Session answers name the form until it is complete. One form of a schema."
        checked={form.prompt !== undefined}
        onChange={({ currentTarget }) =>
          onChange(
            currentTarget.checked
              ? { ...form, prompt: 'signIn' }
              : withOrWithout(withOrWithout(form, 'prompt', undefined), 'promptAgainDays', undefined),
          )
        }
      />
      {form.prompt !== undefined && (
        <PlainNumber
          {...problem('promptAgainDays')}
          label="Ask again after, days"
          description="For users who skip it. Empty: with every sign-in."
          value={form.promptAgainDays}
          onChange={(days) => onChange(withOrWithout(form, 'promptAgainDays', days))}
        />
      )}
    </Stack>
  )
}
