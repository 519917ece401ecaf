import { Skeleton, Stack } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Page } from '../parts/pages/page.tsx'
import { Problem } from '../parts/pages/problem.tsx'
import { useIsSlow } from '../parts/pages/slow.ts'
import { Editor } from './editor.tsx'
import classes from './fields/field-row.module.css'
import { schemaQuery } from './schema-queries.ts'

/** The profile schema of a tenant. */
export function Screen(): ReactNode {
  const { tenantId } = useParams({ from: '/signed-in/tenants/$tenantId/profile-schema' })
  // What is read again in the background must not replace a draft: the editor keeps what it began with.
  const query = useQuery(schemaQuery(tenantId))
  const isSlow = useIsSlow(query.isPending)
  if (query.data !== undefined) return <Editor tenantId={tenantId} current={query.data} />
  return (
    <Page title="Profile schema" about="Published versions never change.">
      {query.isError && <Problem error={query.error} retry={() => void query.refetch()} />}
      {isSlow && (
        <div aria-busy>
          <Skeleton height={36} mb="md" radius="md" maw={366} />
          <div className={classes['columns']}>
            <Stack gap="xs">
              {[36, 62, 62, 62, 62, 62].map((height, row) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike
                <Skeleton key={row} height={height} radius="lg" />
              ))}
            </Stack>
            <Skeleton height={420} radius="lg" />
          </div>
        </div>
      )}
    </Page>
  )
}
