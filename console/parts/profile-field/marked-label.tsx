import { Text } from '@mantine/core'
import type { ControlProps } from './control-props.ts'

/** A label with the asterisk of required fields, for what is not in an `Input.Wrapper` of Mantine, which shows it. */
export function MarkedLabel({ label, required }: Pick<ControlProps['input'], 'label' | 'required'>) {
  return (
    <>
      {label}
      {required && (
        <Text span inherit c="var(--mantine-color-error)" aria-hidden>
          {' *'}
        </Text>
      )}
    </>
  )
}
