import { Combobox, InputBase, Text, useCombobox } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useLocation, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { anyScript } from '../parts/any-script.ts'
import { longestTenantName, useTenantName, useTenantOptions } from '../tenants/tenant-options.ts'
import { isAt, pathOf, screensOfTenant, useMayVisit } from './screens.ts'

/**
 * Shows the current tenant; opened, it offers others, and leads to the same screen of them. Nothing for an operator without
 * a screen of tenants.
 */
export function TenantSwitcher({ tenantId }: { readonly tenantId: string | undefined }) {
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const mayVisit = useMayVisit()
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed, 250)
  const box = useCombobox({
    onDropdownClose: () => {
      box.resetSelectedOption()
      setTyped('')
    },
  })
  const name = useTenantName(tenantId)
  const { options, hint } = useTenantOptions(q, box.dropdownOpened)
  const screens = screensOfTenant.filter((screen) => mayVisit(screen))
  const screen = screens.find((one) => isAt(pathname, one, tenantId)) ?? screens[0]
  if (screen === undefined) return null
  return (
    <Combobox
      store={box}
      onOptionSubmit={(id) => {
        box.closeDropdown()
        void navigate({ to: pathOf(screen, id) })
      }}
    >
      <Combobox.Target withExpandedAttribute>
        <InputBase
          aria-label="Tenant"
          placeholder={tenantId === undefined ? 'Choose a tenant' : (name ?? '…')}
          value={box.dropdownOpened ? typed : (name ?? '')}
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
          maxLength={longestTenantName}
          {...anyScript}
        />
      </Combobox.Target>
      <Combobox.Dropdown>
        <Combobox.Options style={{ maxHeight: 320, overflowY: 'auto' }}>
          {options.map((option) => (
            <Combobox.Option value={option.id} key={option.id} active={option.id === tenantId}>
              {option.name === option.id ? (
                // Whole: ids of one time begin alike.
                <Text size="xs" ff="monospace" style={{ overflowWrap: 'anywhere' }}>
                  {option.id}
                </Text>
              ) : (
                <Text size="sm" truncate dir="auto">
                  {option.name}
                </Text>
              )}
            </Combobox.Option>
          ))}
          {options.length === 0 && <Combobox.Empty>{hint}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}
