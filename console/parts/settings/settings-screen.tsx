import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { PanelSkeleton } from '../pages/panel-skeleton.tsx'
import { Problem } from '../pages/problem.tsx'
import { useIsSlow } from '../pages/slow.ts'
import type { SettingsForm } from './use-settings.ts'

/** The settings once they are read. What was read before stays when reading fails. */
export function SettingsScreen({ form, children }: { readonly form: SettingsForm; readonly children: ReactNode }) {
  const { query } = form
  const isSlow = useIsSlow(query.isPending && query.fetchStatus === 'fetching')
  return (
    <Stack gap="md">
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {isSlow && [4, 3, 6].map((lines) => <PanelSkeleton key={lines} lines={lines} />)}
      {form.modules !== undefined && children}
    </Stack>
  )
}
