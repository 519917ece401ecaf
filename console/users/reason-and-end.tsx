import { Textarea } from '@mantine/core'
import { anyScript } from '../parts/any-script.ts'
import { LocalTimeInput } from '../parts/times/local-time-input.tsx'

/** Why something is withdrawn and until when, as typed. */
export interface TypedWhy {
  readonly reason: string
  /** In the time of this browser; empty for no end. */
  readonly until: string
}

interface ReasonAndEndProps {
  readonly value: TypedWhy
  readonly onChange: (value: TypedWhy) => void
  readonly errors: { readonly reason?: string | undefined; readonly until?: string | undefined }
  /** Completes "Reason of …" where there are several. */
  readonly of?: string
}

export function ReasonAndEnd({ value, onChange, errors, of }: ReasonAndEndProps) {
  const suffix = of === undefined ? {} : { 'aria-description': of }
  return (
    <>
      <Textarea
        label="Reason"
        data-autofocus
        description="Optional. For operators; it is part of the user’s own export."
        autosize
        minRows={2}
        maxRows={6}
        {...anyScript}
        value={value.reason}
        error={errors.reason}
        onChange={({ currentTarget }) => onChange({ ...value, reason: currentTarget.value })}
        {...suffix}
      />
      <LocalTimeInput
        label="Until"
        description="Optional, in your time zone. Without an end, it lasts until it is lifted."
        value={value.until}
        error={errors.until}
        onChange={({ currentTarget }) => onChange({ ...value, until: currentTarget.value })}
        {...suffix}
      />
    </>
  )
}
