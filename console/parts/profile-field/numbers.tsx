import { Group, Input, Slider, Text } from '@mantine/core'
import { PlainNumber } from '../plain-number.tsx'
import type { ControlProps } from './control-props.ts'

/** A number, as a field or a slider. */
export function NumberField({ field, input, onChange }: ControlProps) {
  const { rules, type, placeholder } = field
  const [min, max, step] = [rules['min'], rules['max'], rules['step']] as (number | undefined)[]
  const bounds = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
  if (field.control === 'range') {
    const value = typeof field.value === 'number' ? field.value : null
    const { label, description, error, required, disabled } = input
    return (
      <Input.Wrapper {...{ label, description, error, required }} labelElement="div">
        <Group gap="md" wrap="nowrap">
          <Slider
            {...bounds}
            flex={1}
            step={step ?? (type === 'integer' ? 1 : 0.01)}
            // A slider always has a position, also before there is a value.
            value={value ?? min ?? 0}
            onChange={onChange}
            disabled={disabled}
            label={null}
            thumbProps={{ 'aria-label': label }}
          />
          <Text size="sm" c="dimmed" className="figures">
            {value ?? '–'}
          </Text>
        </Group>
      </Input.Wrapper>
    )
  }
  return (
    <PlainNumber
      {...input}
      {...(placeholder !== undefined && { placeholder })}
      value={typeof field.value === 'number' || typeof field.value === 'string' ? field.value : undefined}
      onChange={(value) => onChange(value ?? null)}
    />
  )
}
