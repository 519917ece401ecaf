import { CloseButton, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { anyScript } from '../any-script.ts'
import { useTypedSearch } from './debounced-search.ts'

interface SearchBoxProps {
  /** The search in the URL. */
  readonly value: string | undefined
  /** Called 250 ms after the last key; undefined for no search. */
  readonly onSearch: (text: string | undefined) => void
  /** What the server compares. */
  readonly label: string
  readonly placeholder?: string
  /** Of what the server compares; the longest address unless given. */
  readonly maxLength?: number
}

/** The search of a list. What is typed is never replaced by an answer that comes late. */
export function SearchBox({ value = '', onSearch, label, placeholder, maxLength = 254 }: SearchBoxProps) {
  const [typed, type] = useTypedSearch(value, (text) => onSearch(text || undefined))
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={placeholder ?? label}
      value={typed}
      maxLength={maxLength}
      w={{ base: '100%', xs: 340 }}
      {...anyScript}
      data-search
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => type('')} />}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}
