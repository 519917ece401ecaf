import { Autocomplete } from '@mantine/core'
import { useEffect, useState } from 'react'
import { languageName } from '../parts/language-name.ts'

interface LanguageInputProps {
  readonly value: string
  /** Offered first; any other tag can be typed. */
  readonly known: readonly string[]
  /** Those with an own text. */
  readonly own: readonly string[]
  readonly onChange: (language: string) => void
}

/** A language by its tag. What is typed counts once the field is left or Enter is pressed. */
export function LanguageInput({ value, known, own, onChange }: LanguageInputProps) {
  const [typed, setTyped] = useState(value)
  useEffect(() => setTyped(value), [value])
  function commit(tag: string): void {
    const text = tag.trim()
    if (text === '') setTyped(value)
    else if (text !== value) onChange(text)
  }
  return (
    <Autocomplete
      label="Language"
      description={languageName(value)}
      value={typed}
      data={[...known]}
      maxDropdownHeight={320}
      onChange={setTyped}
      onOptionSubmit={commit}
      onBlur={() => commit(typed)}
      onKeyDown={({ key }) => {
        if (key === 'Enter') commit(typed)
      }}
      filter={({ options }) => options}
      renderOption={({ option }) =>
        `${option.value} · ${languageName(option.value)}${own.includes(option.value) ? ' · custom' : ''}`
      }
      spellCheck={false}
      inputWrapperOrder={['label', 'input', 'description']}
    />
  )
}
