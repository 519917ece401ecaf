import { Group, Input, Slider, Text } from '@mantine/core'
import { PlainNumber } from '../plain-number.tsx'
import type { ControlProps } from './control-props.ts'
import { useReason } from './use-reason.tsx'

/** A number, as a field or a slider. */
export function NumberField(props: ControlProps) {
  const { field, input, onChange } = props
  if (field.control === 'range') return <SliderField {...props} />
  const { value, placeholder } = field
  return (
    <PlainNumber
      {...input}
      {...(placeholder !== undefined && { placeholder })}
      value={typeof value === 'number' || typeof value === 'string' ? value : undefined}
      onChange={(value) => onChange(value ?? null)}
    />
  )
}

function SliderField({ field, input, onChange }: ControlProps) {
  const [min, max, step] = ['min', 'max', 'step'].map((rule) => field.rules[rule] as number | undefined)
  const value = typeof field.value === 'number' ? field.value : null
  const { label, description, error, required, disabled } = input
  const { reason, described } = useReason(error)
  return (
    <Input.Wrapper {...{ label, description, required }} labelElement="div">
      <Group gap="md" wrap="nowrap">
        <Slider
          {...(min !== undefined && { min })}
          {...(max !== undefined && { max })}
          flex={1}
          step={step ?? (field.type === 'integer' ? 1 : 0.01)}
          // A slider always has a position, also before there is a value.
          value={value ?? min ?? 0}
          onChange={onChange}
          disabled={disabled}
          label={null}
          thumbProps={{ 'aria-label': label, ...described }}
        />
        <Text size="sm" c="dimmed" className="figures">
          {value ?? '–'}
        </Text>
      </Group>
      {reason}
    </Input.Wrapper>
  )
}
