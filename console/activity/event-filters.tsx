import { Button, Group, NativeSelect, Pill, Select, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconFilter } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useTypedSearch } from '../parts/lists/debounced-search.ts'
import { isoToLocal, localToIso } from '../parts/times/local-time.ts'
import { LocalTimeInput } from '../parts/times/local-time-input.tsx'
import type { LogSearch } from './log-search.ts'
import { eventTypes, nameOfType } from './sentences.ts'

/** The filters of events, as they stand in the URL. */
export type EventSearch = Omit<LogSearch, 'event' | 'live' | 'cursor'>

const moreFilters = ['since', 'until', 'actorId', 'subjectId'] as const
const outcomes = [
  { value: '', label: 'All outcomes' },
  { value: 'done', label: 'Done' },
  { value: 'refused', label: 'Refused' },
]
const groups = [...new Set(eventTypes.map((type) => type.split('.')[0]!))].map((name) => ({
  group: nameOfType(name),
  items: [
    { value: `${name}.*`, label: `${nameOfType(name)}: all` },
    ...eventTypes
      .filter((type) => type.startsWith(`${name}.`))
      .map((type) => ({ value: type, label: nameOfType(type) })),
  ],
}))

interface EventFiltersProps {
  readonly search: EventSearch
  readonly onChange: (search: EventSearch) => void
  /** At the end of the line. */
  readonly children?: ReactNode
}

/** Type and outcome; time, actor and subject on request. */
export function EventFilters({ search, onChange, children }: EventFiltersProps) {
  const set = (name: keyof EventSearch, value: string | undefined) => {
    const { [name]: _, ...others } = search
    onChange(value === undefined || value === '' ? others : { ...others, [name]: value })
  }
  const more = moreFilters.flatMap((name) => (search[name] === undefined ? [] : [`${name} ${search[name]}`])).join()
  const [isOpen, setOpen] = useState(more !== '')
  const [known, setKnown] = useState(more)
  if (known !== more) {
    setKnown(more)
    // A link of the screen, or Back, leads to filters that would not be seen.
    if (more !== '') setOpen(true)
  }
  return (
    <Stack gap="sm">
      <Group gap="sm" align="flex-end">
        <Select
          aria-label="Type"
          data={groups}
          value={search.type ?? null}
          onChange={(type) => set('type', type ?? undefined)}
          placeholder="All types"
          searchable
          clearable
          clearButtonProps={{ 'aria-label': 'Clear the type' }}
          flex="1 1 180px"
          maw={260}
        />
        <NativeSelect
          aria-label="Outcome"
          data={outcomes}
          value={search.outcome ?? ''}
          onChange={({ currentTarget }) => set('outcome', currentTarget.value)}
        />
        <Button
          variant="default"
          leftSection={<IconFilter size={16} />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          More filters
        </Button>
        <Group ms="auto" mih={36}>
          {children}
        </Group>
      </Group>
      {isOpen && (
        <SimpleGrid cols={{ base: 1, xs: 2, lg: 4 }} spacing="sm">
          <TimeFilter label="Since" value={search.since} onChange={(time) => set('since', time)} />
          <TimeFilter label="Before" value={search.until} onChange={(time) => set('until', time)} />
          <IdFilter
            label="By"
            placeholder="Id of a user, operator or key"
            value={search.actorId}
            onChange={(id) => set('actorId', id)}
          />
          <IdFilter
            label="About"
            placeholder="Id of a user or key"
            value={search.subjectId}
            onChange={(id) => set('subjectId', id)}
          />
        </SimpleGrid>
      )}
      {search.requestId !== undefined && (
        <Group gap="xs">
          <Text size="sm">Only the request</Text>
          <Pill
            withRemoveButton
            removeButtonProps={{ 'aria-label': 'All requests', 'aria-hidden': false, tabIndex: 0 }}
            onRemove={() => set('requestId', undefined)}
          >
            {search.requestId}
          </Pill>
        </Group>
      )}
    </Stack>
  )
}

interface FilterProps {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (value: string) => void
}

function TimeFilter({ label, value, onChange }: FilterProps) {
  const [typed, type] = useTypedSearch(localOf(value), (local) => onChange(local && localToIso(local)))
  return <LocalTimeInput label={label} value={typed} onChange={({ currentTarget }) => type(currentTarget.value)} />
}

/** Searches once the typing pauses. */
function IdFilter({ label, placeholder, value = '', onChange }: FilterProps & { readonly placeholder: string }) {
  const [typed, type] = useTypedSearch(value, onChange)
  return (
    <TextInput
      label={label}
      placeholder={placeholder}
      value={typed}
      maxLength={64}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      spellCheck={false}
    />
  )
}

/** Nothing for a time in the URL that is none: the server says what is wrong with it. */
const localOf = (iso: string | undefined): string =>
  iso === undefined || Number.isNaN(Date.parse(iso)) ? '' : isoToLocal(iso)
