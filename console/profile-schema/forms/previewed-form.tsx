import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { memo, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { ProfileSchema } from '../../../packages/client/src/admin.ts'
import { viewOf } from '../../../packages/client/src/react/profile-fields.ts'
import { shownForm } from '../../../packages/client/src/react/shown-form.ts'
import { ProfileField } from '../../parts/profile-field/profile-field.tsx'
import { type Draft, documentOf, isNote } from '../draft.ts'

interface PreviewedFormProps {
  readonly draft: Draft
  /** undefined: the profile page. */
  readonly form: string | undefined
  readonly locale: string
  /** The name of the field that is being edited. */
  readonly opened: string | undefined
}

/** Made by the same code as the forms of apps. What is typed here is stored nowhere; conditions follow it. */
export const PreviewedForm = memo(function PreviewedForm({ draft, form, locale, opened }: PreviewedFormProps) {
  const [entered, setEntered] = useState<Readonly<Record<string, unknown>>>({})
  const [step, setStep] = useState<string>()
  const change = useCallback(
    (name: string, value: unknown) => setEntered((before) => ({ ...before, [name]: value })),
    [],
  )
  const schema = useMemo(() => publicSchema(draft), [draft])
  const view = useMemo(() => {
    const values = { ...{ stored: {}, entered, errors: {}, details: {} }, step }
    return viewOf(schema, form, locale, values, shownForm(schema, form, values, null))
  }, [schema, form, locale, entered, step])
  const marked = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another field was opened
  useEffect(() => void marked.current?.scrollIntoView({ block: 'nearest' }), [opened])
  const at = view.steps.findIndex(({ isCurrent }) => isCurrent)
  const title = form === undefined ? undefined : localizedTitle(draft.forms[form]?.title, locale)
  const isEmpty = view.fields.length === 0 && view.steps.length === 0
  return (
    <Stack p="lg" gap="lg" component="main">
      {title !== undefined && <Title order={2}>{title}</Title>}
      {view.steps.length > 0 && (
        <StepControls at={at} count={view.steps.length} onMove={(to) => setStep(view.steps[to]?.step)} />
      )}
      {isEmpty && (
        <Text size="sm" c="dimmed">
          No fields to show yet.
        </Text>
      )}
      {view.steps[at]?.verify !== undefined && (
        <Text size="sm">
          The user verifies their {view.steps[at].verify === 'email' ? 'e-mail address' : 'phone number'} here.
        </Text>
      )}
      {view.sections.map((section) => (
        <Stack key={section.section} gap="md">
          {section.title !== undefined && section.title !== title && (
            <Title order={3} fz="md" dir="auto">
              {section.title}
            </Title>
          )}
          {section.description !== undefined && (
            <Text size="sm" c="dimmed" dir="auto" mt={-8}>
              {section.description}
            </Text>
          )}
          {section.fields
            .filter(({ control }) => control !== 'hidden')
            .map((field) => (
              <div
                key={field.name}
                ref={field.name === opened ? marked : undefined}
                data-preview={field.name}
                style={
                  field.name === opened
                    ? { outline: '2px solid var(--accent)', outlineOffset: 8, borderRadius: 2 }
                    : undefined
                }
              >
                <ProfileField field={field} locale={locale} onChange={change} />
              </div>
            ))}
        </Stack>
      ))}
    </Stack>
  )
})

interface StepControlsProps {
  /** The index of the shown step. */
  readonly at: number
  readonly count: number
  readonly onMove: (to: number) => void
}

function StepControls({ at, count, onMove }: StepControlsProps) {
  return (
    <Group justify="space-between">
      <Text size="sm" c="dimmed">
        Step {at + 1} of {count}
      </Text>
      <Group gap="xs">
        <Button size="xs" variant="default" disabled={at <= 0} onClick={() => onMove(at - 1)}>
          Back
        </Button>
        <Button size="xs" disabled={at >= count - 1} onClick={() => onMove(at + 1)}>
          Next
        </Button>
      </Group>
    </Group>
  )
}

const localizedTitle = (text: Draft['forms'][string]['title'], locale: string): string | undefined =>
  text === undefined || typeof text === 'string' ? text : (text[locale] ?? text.default)

/** As apps read it: without notes, and names that a text repeats once. */
function publicSchema(draft: Draft): ProfileSchema {
  const taken = new Set<string>()
  const fields = draft.fields.filter((field) => {
    if (isNote(field) || taken.has(field.name)) return false
    taken.add(field.name)
    return true
  })
  const { components, presentation = [], forms = {} } = documentOf({ ...draft, fields })
  return { version: '', components, presentation, forms }
}
