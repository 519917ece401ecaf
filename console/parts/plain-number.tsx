import { NumberInput, type NumberInputProps } from '@mantine/core'
import { useState } from 'react'

interface PlainNumberProps extends Omit<NumberInputProps, 'value' | 'onChange'> {
  readonly value: number | undefined
  /** Gets undefined for no number. */
  readonly onChange: (value: number | undefined) => void
}

/** A number as it is typed: `-0` and `1.` are the beginnings of `-0.5` and `1.5`, which their numbers 0 and 1 are not. */
export function PlainNumber({ value, onChange, ...props }: PlainNumberProps) {
  const [typed, setTyped] = useState<number | string>('')
  return (
    <NumberInput
      {...props}
      value={numberOf(typed) === value ? typed : (value ?? '')}
      onChange={(next) => {
        setTyped(next)
        onChange(numberOf(next))
      }}
    />
  )
}

function numberOf(typed: number | string): number | undefined {
  const number = typed === '' ? Number.NaN : Number(typed)
  return Number.isNaN(number) ? undefined : number
}
