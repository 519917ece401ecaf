import { NumberInput } from '@mantine/core'
import type { WholeRange } from '../../../contract/tenants/setting-ranges.ts'
import { withRange } from './with-range.ts'

interface WholeNumberProps {
  readonly label: string
  readonly description?: string
  readonly suffix?: string
  /** What the server accepts. */
  readonly range: WholeRange
  /** Shown while the field is empty: what the server uses then. */
  readonly placeholder?: string
  readonly value: number | undefined
  /** undefined: the server's default. */
  readonly onChange: (value: number | undefined) => void
  readonly disabled?: boolean
  readonly error?: string | undefined
}

/** A whole number, with the range that the server accepts. The server refuses any other number. */
export function WholeNumber({ value, onChange, suffix, range, description, ...props }: WholeNumberProps) {
  return (
    <NumberInput
      {...props}
      description={withRange(description, range, suffix)}
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
