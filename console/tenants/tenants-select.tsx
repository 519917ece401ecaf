import { MultiSelect } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQueries } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { TenantryError } from '../../packages/client/src/errors.ts'
import { anyScriptInList } from '../parts/any-script.ts'
import { useCan } from '../session/session.tsx'
import { longestTenantName, useTenantOptions } from './tenant-options.ts'
import { tenantQuery } from './tenants-queries.ts'

interface TenantsSelectProps {
  readonly label: string
  readonly value: readonly string[]
  readonly onChange: (tenantIds: string[]) => void
  readonly error?: ReactNode
}

/** Chooses some of the tenants that the operator reaches. */
export function TenantsSelect({ label, value, onChange, error }: TenantsSelectProps) {
  const [typed, setTyped] = useState('')
  const [q] = useDebouncedValue(typed, 250)
  const enabled = useCan()('tenants:read')
  const chosen = useQueries({ queries: value.map((id) => ({ ...tenantQuery(id), retry: false, enabled })) })
  const { options, hint } = useTenantOptions(q, true)
  const tenants = new Map(options.map(({ id, name }) => [id, name]))
  value.forEach((id, index) => {
    const { data, error } = chosen[index]!
    const name = data?.name ?? tenants.get(id) ?? id
    tenants.set(id, error instanceof TenantryError && error.status === 404 ? `${name} (deleted)` : name)
  })
  return (
    <MultiSelect
      label={label}
      placeholder={value.length === 0 ? 'Choose tenants' : ''}
      searchable
      data={[...tenants].map(([id, name]) => ({ value: id, label: name }))}
      // The server has filtered.
      filter={({ options }) => options}
      // The first one may be that of what was typed before.
      selectFirstOptionOnChange={false}
      value={[...value]}
      onChange={onChange}
      searchValue={typed}
      onSearchChange={setTyped}
      nothingFoundMessage={hint}
      error={error}
      maxLength={longestTenantName}
      {...anyScriptInList}
    />
  )
}
