import { Anchor, Stack } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TenantryError } from '../../../packages/client/src/errors.ts'
import { PanelSkeleton } from '../panel-skeleton.tsx'
import { Problem } from '../problem.tsx'
import { useIsSlow } from '../slow.ts'
import type { SettingsForm } from './use-settings.ts'

/** The settings once they are read. What was read before stays when reading fails. */
export function SettingsScreen({ form, children }: { readonly form: SettingsForm; readonly children: ReactNode }) {
  const { query } = form
  const isSlow = useIsSlow(query.isPending && query.fetchStatus === 'fetching')
  const isGone = query.error instanceof TenantryError && query.error.code === 'TENANT_NOT_FOUND'
  return (
    <Stack gap="md">
      {query.isError && <Problem error={query.error} {...(!isGone && { retry: () => void query.refetch() })} />}
      {isGone && <Anchor renderRoot={(props) => <Link {...props} to="/tenants" />}>Go to the tenants</Anchor>}
      {isSlow && [4, 3, 6].map((lines) => <PanelSkeleton key={lines} lines={lines} />)}
      {form.modules !== undefined && children}
    </Stack>
  )
}
