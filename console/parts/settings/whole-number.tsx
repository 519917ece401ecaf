import { NumberInput } from '@mantine/core'

interface WholeNumberProps {
  readonly label: string
  readonly description?: string
  readonly suffix?: string
  /** Shown while the field is empty: what the server uses then. */
  readonly placeholder?: string
  readonly value: number | undefined
  /** undefined: the server's default. */
  readonly onChange: (value: number | undefined) => void
  readonly disabled?: boolean
  readonly error?: string | undefined
}

/** A whole number. Its limits are the server's. */
export function WholeNumber({ value, onChange, suffix, ...props }: WholeNumberProps) {
  return (
    <NumberInput
      {...props}
      value={value ?? ''}
      {...(suffix !== undefined && { suffix: ` ${suffix}` })}
      allowDecimal={false}
      allowNegative={false}
      thousandSeparator=","
      styles={{ wrapper: { maxWidth: 260 } }}
      hideControls
      inputMode="numeric"
      onChange={(next) => onChange(typeof next === 'number' ? next : undefined)}
    />
  )
}
