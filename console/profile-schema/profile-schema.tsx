import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from '../parts/page.tsx'
import { Problem } from '../parts/problem.tsx'
import { useIsSlow } from '../parts/slow.ts'
import { Editor } from './editor.tsx'
import { schemaQuery } from './schema-queries.ts'

/** The profile schema of a tenant. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from: '/signed-in/tenants/$tenantId/profile-schema' })
  // What is read again in the background must not replace a draft: the editor keeps what it began with.
  const query = useQuery(schemaQuery(tenantId))
  const isSlow = useIsSlow(query.isPending)
  if (query.data !== undefined) return <Editor key={tenantId} tenantId={tenantId} current={query.data} />
  return (
    <Page title="Profile schema">
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {isSlow && (
        <Stack aria-busy>
          {[1, 2, 3, 4, 5].map((row) => (
            <Skeleton key={row} height={62} radius="lg" maw={480} />
          ))}
        </Stack>
      )}
    </Page>
  )
}
