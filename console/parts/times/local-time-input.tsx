import { TextInput, type TextInputProps } from '@mantine/core'
import { useState } from 'react'

/**
 * A point in time, typed in the time zone of the browser. While it is incomplete its value is empty: a form asks
 * `reportIncomplete` before it sends the value.
 */
export function LocalTimeInput({ error, ...props }: TextInputProps) {
  const [isIncomplete, setIncomplete] = useState(false)
  return (
    <TextInput
      {...props}
      error={isIncomplete ? 'Enter a date and a time' : error}
      onBlur={({ currentTarget }) => setIncomplete(currentTarget.validity.badInput)}
      type="datetime-local"
      // Without an end, browsers let years have six digits.
      max="9999-12-31T23:59"
    />
  )
}
