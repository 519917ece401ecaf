import { Group, NativeSelect, Stack } from '@mantine/core'
import { useRef } from 'react'
import { SearchBox } from '../parts/lists/search-box.tsx'
import { type ConditionSearch, type Conditions, conditionsIn, parametersOf } from './profile-search/conditions.ts'
import { AddProfileFilter, ProfileFilters, useSearchableFields } from './profile-search/profile-filters.tsx'
import { isUserState, userStates } from './user-state.tsx'

/** The search of users in the URL, without the page of the list. */
type UserSearch = ConditionSearch & {
  readonly q?: string | undefined
  readonly state?: string | undefined
}

interface FindUsersProps {
  readonly tenantId: string
  readonly search: UserSearch
  /** @param replaces whether Back leads to what was before the present search */
  readonly onSearch: (search: UserSearch, replaces: boolean) => void
}

/** Finds users by their address or by profile fields, which replace each other; and by state. */
export function FindUsers({ tenantId, search, onSearch }: FindUsersProps) {
  const { q, state } = search
  const conditions = conditionsIn(search)
  const filters = {
    fields: useSearchableFields(tenantId),
    conditions,
    button: useRef<HTMLButtonElement>(null),
    onChange: (changed: Conditions) => onSearch({ state, ...parametersOf(changed) }, false),
  }
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <SearchBox
          label="Search by the beginning of an address, a number (+…) or an id"
          placeholder="Address, +number or id"
          value={q}
          onSearch={(text) => onSearch({ q: text, state }, Object.keys(conditions).length === 0)}
        />
        <NativeSelect
          aria-label="State"
          value={isUserState(state) ? state : ''}
          data={[
            { value: '', label: 'Every state' },
            ...Object.entries(userStates).map(([value, label]) => ({ value, label })),
          ]}
          onChange={({ currentTarget }) => onSearch({ ...search, state: currentTarget.value || undefined }, true)}
        />
        <AddProfileFilter {...filters} />
      </Group>
      <ProfileFilters {...filters} />
    </Stack>
  )
}
