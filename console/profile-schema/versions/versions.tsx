import { Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type Column, List } from '../../parts/lists/list.tsx'
import { usePageSize } from '../../parts/lists/page-size.ts'
import { Empty } from '../../parts/pages/empty.tsx'
import { Time } from '../../parts/times/time.tsx'
import { type ListedVersion, versionsQuery } from '../schema-queries.ts'
import { CompareVersions } from './compare-versions.tsx'
import { VersionState } from './version-state.tsx'

const columns: readonly Column<ListedVersion>[] = [
  {
    header: 'Version',
    cell: ({ version }) => (
      <Link
        className="row-link"
        from="/tenants/$tenantId/profile-schema"
        search={{ view: 'versions', version }}
        resetScroll={false}
      >
        <Text span fw={600} style={{ overflowWrap: 'anywhere' }}>
          {version}
        </Text>
      </Link>
    ),
  },
  { header: 'State', width: 130, cell: ({ state }) => <VersionState state={state} /> },
  { header: 'Fields', width: 90, visibleFrom: 'sm', cell: ({ fields }) => fields },
  { header: 'Migration steps', width: 140, visibleFrom: 'lg', cell: ({ migrations }) => migrations },
  { header: 'Profiles', width: 110, visibleFrom: 'sm', cell: ({ profiles }) => profiles.toLocaleString('en') },
  { header: 'Published', width: 150, cell: ({ publishedAt }) => <Time at={publishedAt} /> },
]

/** Every version that was published, newest first, and what changes between two of them. */
export function Versions({ tenantId }: { readonly tenantId: string }) {
  const [limit] = usePageSize()
  const [cursor, setCursor] = useState<string>()
  const query = useQuery({
    ...versionsQuery(tenantId, { limit, ...(cursor !== undefined && { cursor }) }),
    placeholderData: keepPreviousData,
  })
  return (
    <Stack>
      <List
        label="Versions"
        columns={columns}
        query={query}
        keyOf={({ ordinal }) => String(ordinal)}
        cursor={cursor}
        onCursor={setCursor}
        empty={<Empty title="No versions">Publish the first one.</Empty>}
      />
      {(query.data?.items.length ?? 0) > 1 && (
        <CompareVersions tenantId={tenantId} versions={query.data!.items.map(({ version }) => version)} />
      )}
    </Stack>
  )
}
