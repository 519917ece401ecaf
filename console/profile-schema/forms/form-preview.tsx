import { ActionIcon, Group, NativeSelect, SegmentedControl, Text, Tooltip, useComputedColorScheme } from '@mantine/core'
import { IconMoon, IconSun, IconTextDirectionLtr, IconTextDirectionRtl } from '@tabler/icons-react'
import { useDeferredValue, useState } from 'react'
import type { Draft } from '../draft.ts'
import { useEditor } from '../editor-context.ts'
import { isRightToLeft, languageName } from '../languages.ts'
import { PreviewFrame } from './preview-frame.tsx'
import { PreviewedForm } from './previewed-form.tsx'

interface FormPreviewProps {
  readonly draft: Draft
  /** The key of the field that is being edited. */
  readonly open: string | null
  /** The form that is shown; `''`: the profile page. */
  readonly form: string
  readonly onForm: (form: string) => void
}

/** The form that apps build from the draft, in any of its languages, light or dark. */
export function FormPreview({ draft, open, form, onForm }: FormPreviewProps) {
  const { languages } = useEditor()
  const pageScheme = useComputedColorScheme('light')
  const [scheme, setScheme] = useState<'light' | 'dark' | null>(null)
  const [language, setLanguage] = useState('default')
  const [direction, setDirection] = useState<'ltr' | 'rtl' | null>(null)
  // Typing into a setting is never slowed down by a form of many fields.
  const shown = useDeferredValue(draft)
  const isRtl = (direction ?? (isRightToLeft(language) ? 'rtl' : 'ltr')) === 'rtl'
  const isKnown = language === 'default' || languages.includes(language)
  const locale = isKnown && language !== 'default' ? language : 'en'
  const forms = Object.keys(draft.forms)
  const opened = draft.fields.find(({ key }) => key === open)?.name
  return (
    <section className="panel" aria-label="Preview">
      <Group p="sm" gap="xs" justify="space-between" style={{ borderBottom: '1px solid var(--line)' }}>
        <Text size="sm" fw={600} c="dimmed">
          What users see
        </Text>
        <Group gap={6}>
          {forms.length > 0 && (
            <NativeSelect
              size="xs"
              aria-label="Form"
              value={forms.includes(form) ? form : ''}
              data={[{ value: '', label: 'Profile page' }, ...forms.map((name) => ({ value: name, label: name }))]}
              onChange={({ currentTarget }) => onForm(currentTarget.value)}
            />
          )}
          <NativeSelect
            size="xs"
            aria-label="Language"
            value={isKnown ? language : 'default'}
            data={[
              { value: 'default', label: 'Default language' },
              ...languages.map((tag) => ({ value: tag, label: languageName(tag) })),
            ]}
            onChange={({ currentTarget }) => {
              setLanguage(currentTarget.value)
              setDirection(null)
            }}
          />
          <Tooltip label={isRtl ? 'From right to left' : 'From left to right'}>
            <ActionIcon
              variant="default"
              size={30}
              aria-label="Right to left"
              aria-pressed={isRtl}
              onClick={() => setDirection(isRtl ? 'ltr' : 'rtl')}
            >
              {isRtl ? <IconTextDirectionRtl size={16} /> : <IconTextDirectionLtr size={16} />}
            </ActionIcon>
          </Tooltip>
          <SegmentedControl
            size="xs"
            aria-label="Colour scheme of the preview"
            value={scheme ?? pageScheme}
            onChange={(value) => setScheme(value as 'light' | 'dark')}
            data={[
              { value: 'light', label: <IconSun size={14} aria-label="Light" style={{ display: 'block' }} /> },
              { value: 'dark', label: <IconMoon size={14} aria-label="Dark" style={{ display: 'block' }} /> },
            ]}
          />
        </Group>
      </Group>
      <PreviewFrame
        title="The form of apps"
        scheme={scheme ?? pageScheme}
        direction={isRtl ? 'rtl' : 'ltr'}
        language={locale}
      >
        <PreviewedForm draft={shown} form={forms.includes(form) ? form : undefined} locale={locale} opened={opened} />
      </PreviewFrame>
    </section>
  )
}
