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
}

/** The longest address. What is searched is in the URL. */
const longestSearch = 254

/** The search of a list. What is typed is never replaced by an answer that comes late. */
export function SearchBox({ value = '', onSearch, label, placeholder }: SearchBoxProps) {
  const [typed, type] = useTypedSearch(value, (text) => onSearch(text || undefined))
  return (
    <TextInput
      type="search"
      aria-label={label}
      placeholder={placeholder ?? label}
      value={typed}
      maxLength={longestSearch}
      w={{ base: '100%', xs: 340 }}
      {...anyScript}
      data-search
      leftSection={<IconSearch size={16} aria-hidden />}
      rightSection={typed !== '' && <CloseButton size="sm" aria-label="Clear the search" onClick={() => type('')} />}
      onChange={({ currentTarget }) => type(currentTarget.value)}
    />
  )
}
