import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { anyScript } from '../parts/any-script.ts'
import { longestTenantName, useTenantName, useTenantOptions } from './tenant-options.ts'

interface TenantSelectProps {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (tenantId: string | undefined) => void
  /** Shown without a value, such as "All tenants". */
  readonly placeholder: string
  readonly isClearable?: boolean
}

/** Chooses one of the tenants that the operator reaches. */
export function TenantSelect({ label, value, onChange, placeholder, isClearable = true }: TenantSelectProps) {
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const chosen = useTenantName(value)
  const [q] = useDebouncedValue(typed === chosen ? '' : typed, 250)
  const { options, hint } = useTenantOptions(q, isOpen)
  const tenants = new Map(options.map(({ id, name }) => [id, name]))
  if (value !== undefined) tenants.set(value, chosen ?? '…')
  return (
    <Select
      aria-label={label}
      placeholder={placeholder}
      searchable
      clearable={isClearable}
      clearButtonProps={{ 'aria-label': `Clear: ${label}` }}
      data={[...tenants].map(([id, name]) => ({ value: id, label: name }))}
      // The server has filtered, and compares more than this page could.
      filter={({ options }) => options}
      // The first one may be that of what was typed before.
      selectFirstOptionOnChange={false}
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      nothingFoundMessage={hint}
      maxLength={longestTenantName}
      {...anyScript}
      w={{ base: '100%', xs: 230 }}
    />
  )
}
