import type { WholeRange } from '../../../contract/tenants/setting-ranges.ts'
import { PlainNumber } from '../plain-number.tsx'
import { withRange } from './with-range.ts'

interface WholeNumberProps {
  readonly label: string
  readonly description?: string
  /** The unit. */
  readonly unit?: string
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

/**
 * A whole number, with the range that the server accepts. The server refuses any other number, and a text, which is what is
 * typed when it is not a number.
 */
export function WholeNumber({ onChange, unit, range, description, ...props }: WholeNumberProps) {
  return (
    <PlainNumber
      {...props}
      description={withRange(description, range, unit)}
      styles={{ wrapper: { maxWidth: 260 } }}
      onChange={(next) => onChange(next as number | undefined)}
    />
  )
}
