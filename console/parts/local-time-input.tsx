import { TextInput, type TextInputProps } from '@mantine/core'

/** A point in time, typed in the time zone of the browser. `reportIncomplete` must be asked before its value is sent. */
export const LocalTimeInput = (props: TextInputProps) => (
  // Without an end, browsers let years have six digits.
  <TextInput {...props} type="datetime-local" max="9999-12-31T23:59" />
)
