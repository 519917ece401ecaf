import { Checkbox, Rating, Stack, Switch, Text } from '@mantine/core'
import { memo } from 'react'
import type { ProfileFormField } from '../../../packages/client/src/react/profile-fields.ts'
import { CodeField, isCodeType, OptionsField } from './choices.tsx'
import type { ControlProps } from './control-props.ts'
import { MarkedLabel } from './marked-label.tsx'
import { NumberField } from './numbers.tsx'
import { isPartsType, PartsField } from './parts-field.tsx'
import { useReason } from './use-reason.tsx'
import { WrittenField } from './written.tsx'

export interface ProfileFieldProps {
  readonly field: ProfileFormField
  /** The language of names of countries, currencies and languages. */
  readonly locale: string
  readonly onChange: (name: string, value: unknown) => void
  /** The operator sets fields that users cannot change. */
  readonly byOperator?: true
}

/**
 * A field of the profile schema as the control that the tenant wants, or that fits its type. A user's page and the preview of
 * the schema show the same. Nothing is validated: `field.error` is the message of the server.
 */
export const ProfileField = memo(Field, (before, after) => {
  if (before.locale !== after.locale || before.onChange !== after.onChange) return false
  return JSON.stringify(before.field) === JSON.stringify(after.field)
})

function Field({ field, locale, onChange, byOperator }: ProfileFieldProps) {
  const { name, label, description, error, message, required } = field
  const shownError = error === undefined ? undefined : (message ?? error)
  const change = (value: unknown) => onChange(name, value)
  const input = {
    label,
    ...(description !== undefined && { description }),
    ...(shownError !== undefined && { error: shownError }),
    disabled: !field.writable && byOperator !== true,
    required,
    name,
  }
  return (
    <div data-refused={shownError === undefined ? undefined : true}>
      <Control field={field} locale={locale} input={input} onChange={change} />
    </div>
  )
}

function Control(props: ControlProps) {
  const { type } = props.field
  if (isPartsType(type)) return <PartsField {...props} />
  if (isCodeType(type)) return <CodeField {...props} />
  switch (type) {
    case 'select':
    case 'multiselect':
      return <OptionsField {...props} />
    case 'number':
    case 'integer':
      return props.field.control === 'stars' ? <Stars {...props} /> : <NumberField {...props} />
    case 'boolean':
      return props.field.control === 'radio' ? <OptionsField {...props} /> : <Box {...props} />
    case 'consent':
      return <Consent {...props} />
    default:
      return <WrittenField {...props} />
  }
}

function Box({ field, input, onChange }: ControlProps) {
  const Input = field.control === 'switch' ? Switch : Checkbox
  return (
    <Input
      {...input}
      label={<MarkedLabel {...input} />}
      checked={field.value === true}
      onChange={({ currentTarget }) => onChange(currentTarget.checked)}
    />
  )
}

/** The answer to a text. The version that was shown is stored with the answer. */
function Consent({ field, input: { description, ...input }, onChange }: ControlProps) {
  const version = String(field.rules['version'] ?? '1')
  const answer = field.value as { readonly accepted?: boolean; readonly version?: string } | null
  const Input = field.control === 'switch' ? Switch : Checkbox
  return (
    <Stack gap={6}>
      {description !== undefined && (
        <Text size="sm" c="dimmed" dir="auto">
          {description}
        </Text>
      )}
      <Input
        {...input}
        label={<MarkedLabel {...input} />}
        // The answer to an older text does not count for this one.
        checked={answer?.accepted === true && answer.version === version}
        onChange={({ currentTarget }) => onChange({ accepted: currentTarget.checked, version })}
      />
    </Stack>
  )
}

function Stars({ field, input, onChange }: ControlProps) {
  const count = Math.min(Number(field.rules['max'] ?? 5), 10)
  const { reason, described } = useReason(input.error)
  return (
    <Stack gap={4} component="fieldset" {...described} style={{ border: 0, padding: 0, margin: 0 }}>
      <Text component="legend" size="sm" fw={500} dir="auto">
        <MarkedLabel {...input} />
      </Text>
      {input.description !== undefined && (
        <Text size="xs" c="dimmed" dir="auto">
          {input.description}
        </Text>
      )}
      <Rating
        count={count}
        value={Number(field.value ?? 0)}
        onChange={onChange}
        readOnly={input.disabled}
        getSymbolLabel={(value) => `${value} of ${count}`}
      />
      {reason}
    </Stack>
  )
}
