import { Text } from '@mantine/core'
import type { ControlProps } from './control-props.ts'

/** A label with the asterisk that Mantine shows only at inputs with a box. */
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
