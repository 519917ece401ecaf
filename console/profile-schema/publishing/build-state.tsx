import { Alert, Group, Loader, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { Problem } from '../../parts/pages/problem.tsx'
import type { StoredProfileSchema } from '../draft.ts'
import { builtSchemaQuery, type CurrentSchema, versionsQuery } from '../schema-queries.ts'

interface BuildStateProps {
  readonly tenantId: string
  readonly base: StoredProfileSchema
  /** The version that was built is current now. */
  readonly onCurrent: (current: CurrentSchema) => Promise<void>
}

/** A version that is being built, or that failed since this page was opened. */
export function BuildState({ tenantId, base, onCurrent }: BuildStateProps) {
  const query = useQuery({
    ...versionsQuery(tenantId),
    refetchInterval: ({ state }) => (state.data?.items.some((one) => one.state === 'building') ? 2_000 : false),
  })
  const building = query.data?.items.find(({ state }) => state === 'building')
  const watched = useRef<string>(undefined)
  const ended =
    watched.current === undefined ? undefined : query.data?.items.find((one) => one.version === watched.current)
  const finished = useRef(onCurrent)
  finished.current = onCurrent
  if (building !== undefined) watched.current = building.version
  const isCurrent = ended?.state === 'current' && ended.version !== base.version
  const built = useQuery({ ...builtSchemaQuery(tenantId, ended?.version), enabled: isCurrent })
  useEffect(() => {
    if (!isCurrent || built.data === undefined) return
    watched.current = undefined
    void finished.current(built.data)
  }, [isCurrent, built.data])
  if (building !== undefined) {
    return (
      <Group className="panel" p="sm" mb="md" gap="sm" role="status" wrap="nowrap">
        <Loader size="sm" />
        <Text size="sm">
          Version {building.version} is being built: the values of its unique and searchable fields are indexed. It
          becomes current when that is done; version {base.version} stays current until then.
        </Text>
      </Group>
    )
  }
  if (isCurrent && built.isError) return <Problem error={built.error} retry={() => void built.refetch()} />
  if (ended?.state !== 'failed') return null
  return (
    <Alert color="red" variant="light" mb="md" role="alert">
      <Text size="sm">
        Version {ended.version} could not be built, because users have the same value of a unique field. Version{' '}
        {base.version} stays current. The list of versions names these users.
      </Text>
    </Alert>
  )
}
