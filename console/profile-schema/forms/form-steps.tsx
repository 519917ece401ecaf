import { ActionIcon, Box, Button, Group, NativeSelect, Stack, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { ReorderButtons } from '../../parts/ordering/reorder-buttons.tsx'
import { useMoves } from '../../parts/ordering/use-moves.ts'
import type { FormStep } from '../draft.ts'
import { ConditionEditor } from '../fields/condition-editor.tsx'
import { freeName } from '../fields/edit-field.ts'
import classes from '../fields/field-row.module.css'
import { LocalizedInput } from '../localized-input.tsx'
import { ProblemScope, useProblemProps } from '../problems/problem-context.tsx'
import { ProblemText } from '../problems/problem-text.tsx'
import { withOrWithout } from '../references.ts'
import { FormFields } from './form-fields.tsx'

interface FormStepsProps {
  readonly steps: readonly FormStep[]
  readonly onChange: (steps: readonly FormStep[]) => void
}

/** The steps of a form: fields to fill in, or an address to verify. */
export function FormSteps({ steps, onChange }: FormStepsProps) {
  const problem = useProblemProps()
  const { keys, move } = useMoves(steps, onChange)
  function add(): void {
    const step = freeName(
      'step',
      steps.map((one) => one.step),
    )
    onChange([...steps, { step, fields: [] }])
  }
  return (
    <Stack gap="sm">
      <ProblemText at="steps" />
      {steps.map((step, index) => (
        <Box
          key={keys[index]}
          p="sm"
          style={{ border: '1px solid var(--line)', borderRadius: 'var(--mantine-radius-md)' }}
        >
          <Stack gap="sm">
            <Group gap={4} wrap="nowrap" align="flex-start">
              <TextInput
                {...problem(`steps.${index}.step`)}
                label={`Step ${index + 1}`}
                flex={1}
                value={step.step}
                onChange={({ currentTarget }) => onChange(steps.with(index, { ...step, step: currentTarget.value }))}
                spellCheck={false}
                styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
              />
              <ReorderButtons what={`step ${step.step}`} index={index} count={steps.length} onMove={move} look={look} />
              <ActionIcon
                {...look}
                variant="subtle"
                color="gray"
                aria-label={`Remove step ${step.step}`}
                disabled={steps.length === 1}
                onClick={() => onChange(steps.toSpliced(index, 1))}
              >
                <IconX size={16} />
              </ActionIcon>
            </Group>
            <ProblemScope at={`steps.${index}`}>
              <StepContent
                step={step}
                taken={steps.flatMap((one) => (one === step ? [] : (one.fields ?? [])))}
                onChange={(next) => onChange(steps.with(index, next))}
              />
            </ProblemScope>
          </Stack>
        </Box>
      ))}
      <Group>
        <Button size="xs" variant="default" leftSection={<IconPlus size={14} />} onClick={add}>
          Add a step
        </Button>
      </Group>
    </Stack>
  )
}

const look = { size: 36, className: classes['beside-input'] ?? '' } as const

interface StepContentProps {
  readonly step: FormStep
  readonly taken: readonly string[]
  readonly onChange: (step: FormStep) => void
}

function StepContent({ step, taken, onChange }: StepContentProps) {
  const problem = useProblemProps()
  const set = (key: keyof FormStep, value: unknown) => onChange(withOrWithout(step, key, value))
  function switchContent(to: string): void {
    const { fields: _fields, required: _required, verify: _verify, ...others } = step
    onChange(to === 'fields' ? { ...others, fields: [] } : { ...others, verify: to as 'email' | 'phone' })
  }
  return (
    <>
      <LocalizedInput label="Title" at="title" text={step.title} onChange={(title) => set('title', title)} />
      <LocalizedInput
        label="Description"
        at="description"
        text={step.description}
        onChange={(description) => set('description', description)}
        isLong
      />
      <NativeSelect
        {...problem('verify')}
        label="The user"
        value={step.verify ?? 'fields'}
        data={[
          { value: 'fields', label: 'fills in fields' },
          { value: 'email', label: 'verifies the e-mail address' },
          { value: 'phone', label: 'verifies the phone number' },
        ]}
        onChange={({ currentTarget }) => switchContent(currentTarget.value)}
      />
      {step.verify === undefined && (
        <FormFields
          fields={step.fields ?? []}
          required={step.required}
          taken={taken}
          onChange={(fields, required) =>
            onChange(withOrWithout({ ...step, fields: [...fields] }, 'required', required))
          }
        />
      )}
      <ConditionEditor
        label="Shown only while"
        at="visibleWhen"
        condition={step.visibleWhen}
        onChange={(visibleWhen) => set('visibleWhen', visibleWhen)}
      />
    </>
  )
}
