import { Group, Progress, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { migrationQuery } from '../schema-queries.ts'

/** Shown while stored profiles have not all followed the current version. */
export function MigrationProgress({ tenantId }: { readonly tenantId: string }) {
  const { data } = useQuery(migrationQuery(tenantId))
  if (data === undefined || data.pending === 0) return null
  const done = data.profiles - data.pending
  return (
    <Group className="panel" p="sm" mb="md" gap="md" role="status">
      <Text size="sm">
        {done.toLocaleString('en')} of {data.profiles.toLocaleString('en')} stored profiles are at version{' '}
        {data.version}. The others follow in the background.
      </Text>
      <Progress
        value={(100 * done) / Math.max(1, data.profiles)}
        flex="1 1 120px"
        aria-label="Profiles at the current version"
      />
    </Group>
  )
}
