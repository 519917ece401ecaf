import { Button, Code, Group, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { anyScript } from '../parts/any-script.ts'
import type { OwnTemplate, TemplatePart, TemplatePlace } from './own-templates.ts'
import { variablesOf } from './own-templates.ts'

interface TemplateFieldsProps {
  readonly place: TemplatePlace
  /** undefined: the built-in text is sent. */
  readonly template: OwnTemplate | undefined
  readonly mayChange: boolean
  /** The server's message about a part. */
  readonly problemOf: (part: TemplatePart) => string | undefined
  readonly onChange: (template: OwnTemplate | undefined) => void
  /** Begins with the text that is sent now; undefined while that is not known. */
  readonly onBegin: (() => void) | undefined
}

/** The own text of a message in one language. */
export function TemplateFields({ place, template, mayChange, problemOf, onChange, onBegin }: TemplateFieldsProps) {
  if (template === undefined) {
    return (
      <Stack gap="sm" align="flex-start">
        <Text size="sm" c="dimmed">
          The built-in text is sent.
        </Text>
        {mayChange && (
          <Button variant="default" onClick={onBegin} disabled={onBegin === undefined}>
            Write a custom text
          </Button>
        )}
      </Stack>
    )
  }
  const field = (part: TemplatePart) => ({
    value: template[part] ?? '',
    error: problemOf(part),
    disabled: !mayChange,
    ...anyScript,
    onChange: ({ currentTarget: { value } }: { currentTarget: { value: string } }) => {
      const { [part]: _before, ...others } = template
      // Without HTML the text is shown in the built-in layout.
      onChange(part === 'html' && value === '' ? others : { ...template, [part]: value })
    },
  })
  const monospace = { input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }
  return (
    <Stack gap="sm">
      {place.channel === 'email' && <TextInput label="Subject" {...field('subject')} />}
      <Textarea label="Text" autosize minRows={place.channel === 'sms' ? 3 : 8} maxRows={20} {...field('text')} />
      {place.channel === 'email' && (
        <Textarea
          label="HTML"
          description="Empty: the text in the built-in layout."
          autosize
          minRows={3}
          maxRows={20}
          spellCheck={false}
          styles={monospace}
          {...field('html')}
        />
      )}
      <Text size="xs" c="dimmed" component="div">
        Variables:{' '}
        {variablesOf(place.kind).map((name) => (
          <Code key={name} me={4} style={{ whiteSpace: 'nowrap' }}>{`{{ ${name} }}`}</Code>
        ))}
      </Text>
      {mayChange && (
        <Group>
          <Button variant="default" onClick={() => onChange(undefined)}>
            Use the built-in text
          </Button>
        </Group>
      )}
    </Stack>
  )
}
