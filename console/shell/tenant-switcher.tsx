import { Combobox, InputBase, ScrollArea, Text, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { tenantQuery, tenantsQuery } from '../tenants/tenants-queries.ts'

/** Shows the current tenant; opened, it finds others by the beginning of their names. */
export function TenantSwitcher({ tenantId }: { readonly tenantId: string | undefined }) {
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed, 250)
  const box = useCombobox({
    onDropdownClose: () => {
      box.resetSelectedOption()
      setTyped('')
    },
  })
  const current = useQuery({ ...tenantQuery(tenantId ?? ''), enabled: tenantId !== undefined }).data
  const found = useQuery({
    ...tenantsQuery({ ...(q !== '' && { q }), limit: 50 }),
    enabled: box.dropdownOpened,
    placeholderData: keepPreviousData,
  })
  return (
    <Combobox
      store={box}
      onOptionSubmit={(id) => {
        box.closeDropdown()
        void navigate({ to: '/tenants/$tenantId', params: { tenantId: id } })
      }}
    >
      <Combobox.Target>
        <InputBase
          aria-label="Tenant"
          placeholder="Choose a tenant"
          value={box.dropdownOpened ? typed : (current?.name ?? '')}
          onChange={({ currentTarget }) => {
            setTyped(currentTarget.value)
            box.openDropdown()
          }}
          onClick={() => box.openDropdown()}
          onFocus={() => box.openDropdown()}
          onBlur={() => box.closeDropdown()}
          rightSection={<Combobox.Chevron />}
          rightSectionPointerEvents="none"
          mb="xs"
          dir="auto"
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options>
          <ScrollArea.Autosize mah={320} type="scroll">
            {found.data?.items.map(({ id, name }) => (
              <Combobox.Option value={id} key={id} active={id === tenantId}>
                <Text size="sm" truncate dir="auto">
                  {name}
                </Text>
              </Combobox.Option>
            ))}
            {found.data?.items.length === 0 && <Combobox.Empty>No tenant matches “{q}”</Combobox.Empty>}
          </ScrollArea.Autosize>
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
