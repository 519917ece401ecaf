import { Checkbox, Group, MultiSelect, Radio, Select, Stack } from '@mantine/core'
import { type Choice, codeChoices, nameCodes } from './codes.ts'
import type { ControlProps } from './control-props.ts'

export const isCodeType = (type: string): boolean => ['country', 'language', 'currency', 'timezone'].includes(type)

const yesAndNo: readonly Choice[] = [
  { value: 'true', label: 'Yes' },
  { value: 'false', label: 'No' },
]

type ChosenField = Pick<ControlProps['field'], 'type' | 'options' | 'rules'>

/** What can be chosen in a field, with names; nothing if its values are typed. */
export function choicesOf({ type, options, rules }: ChosenField, locale: string): readonly Choice[] {
  if (type === 'boolean') return yesAndNo
  if (!isCodeType(type)) return options
  const allowed = rules['in'] as readonly string[] | undefined
  return allowed === undefined ? codeChoices(type, locale) : nameCodes(type, allowed, locale)
}

/** Countries, languages, currencies and time zones with their names. */
export function CodeField(props: ControlProps) {
  const { field, locale } = props
  return <OneOf {...props} choices={withStored(choicesOf(field, locale), field.value)} />
}

/** One or several of the options; yes or no of a boolean that is shown as radio buttons. */
export function OptionsField(props: ControlProps) {
  const { field, input, onChange } = props
  if (field.type === 'boolean') {
    const value = typeof field.value === 'boolean' ? String(field.value) : null
    const shown = { ...field, value }
    return <OneOf {...props} field={shown} choices={yesAndNo} onChange={(yes) => onChange(yes === 'true')} />
  }
  if (field.type === 'select') return <OneOf {...props} choices={withStored(field.options, field.value)} />
  const chosen = Array.isArray(field.value) ? field.value.map(String) : []
  const change = (values: string[]) => onChange(values.length === 0 ? null : values)
  if (field.control !== 'checkboxes') {
    const data = chosen.reduce(withStored, field.options)
    return <MultiSelect {...input} {...searchable(data)} value={chosen} onChange={change} clearable />
  }
  return (
    <Checkbox.Group {...input} value={chosen} onChange={change}>
      <Stack gap="xs" mt={6}>
        {chosen.reduce(withStored, field.options).map(({ value, label }) => (
          <Checkbox key={value} value={value} label={label} disabled={input.disabled} />
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

interface OneOfProps extends ControlProps {
  readonly choices: readonly Choice[]
}

function OneOf({ field, input, choices, onChange }: OneOfProps) {
  const value = typeof field.value === 'string' ? field.value : null
  if (field.control !== 'radio') {
    const placeholder = field.placeholder
    return (
      <Select
        {...input}
        {...searchable(choices)}
        {...(placeholder !== undefined && { placeholder })}
        value={value}
        onChange={onChange}
        clearable={!input.required}
      />
    )
  }
  return (
    <Radio.Group {...input} value={value ?? ''} onChange={onChange}>
      <Group gap="md" mt={6}>
        {choices.map((choice) => (
          <Radio key={choice.value} value={choice.value} label={choice.label} disabled={input.disabled} />
        ))}
      </Group>
    </Radio.Group>
  )
}

/** A stored value may be one that is no longer offered. */
function withStored(choices: readonly Choice[], value: unknown): readonly Choice[] {
  if (typeof value !== 'string' || value === '' || choices.some((choice) => choice.value === value)) return choices
  return [{ value, label: value }, ...choices]
}

/** Mantine refuses duplicate values, which a schema that is being edited can have. */
const searchable = (choices: readonly Choice[]) => ({
  data: choices.filter(({ value }, index) => choices.findIndex((one) => one.value === value) === index),
  searchable: choices.length > 8,
  limit: 100,
  // Beside the field: the preview of the schema is in a frame.
  comboboxProps: { withinPortal: false },
})
