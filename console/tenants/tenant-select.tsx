import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { tenantQuery, tenantsQuery } from './tenants-queries.ts'

interface TenantSelectProps {
  readonly label: string
  readonly value: string | undefined
  readonly onChange: (tenantId: string | undefined) => void
  /** Shown without a value, such as "All tenants". */
  readonly placeholder: string
  readonly isClearable?: boolean
}

/** Chooses a tenant; the server finds tenants by the beginning of their names. */
export function TenantSelect({ label, value, onChange, placeholder, isClearable = true }: TenantSelectProps) {
  const [typed, setTyped] = useState('')
  const [isOpen, setOpen] = useState(false)
  const chosen = useQuery({ ...tenantQuery(value ?? ''), enabled: value !== undefined }).data
  const [q] = useDebouncedValue(typed === chosen?.name ? '' : typed.trim(), 250)
  const found = useQuery({
    ...tenantsQuery({ ...(q !== '' && { q }), limit: 50 }),
    enabled: isOpen,
    placeholderData: keepPreviousData,
  })
  const tenants = new Map(found.data?.items.map(({ id, name }) => [id, name]))
  if (value !== undefined) tenants.set(value, chosen?.name ?? value)
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
      value={value ?? null}
      onChange={(id) => onChange(id ?? undefined)}
      searchValue={typed}
      onSearchChange={setTyped}
      onDropdownOpen={() => setOpen(true)}
      onDropdownClose={() => setOpen(false)}
      nothingFoundMessage={`No tenant matches “${q}”`}
      dir="auto"
    />
  )
}
