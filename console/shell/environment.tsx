import { Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { State } from '../parts/state.tsx'
import { deploymentQuery } from './deployment-query.ts'

/** The environment beside the name, so that one knows where one acts. */
export function Environment(): ReactNode {
  const { data } = useQuery(deploymentQuery)
  if (data === undefined) return null
  if (data.environment !== 'production') return <State tone="warn">{data.environment}</State>
  return (
    <Text span size="xs" fw={650} c="var(--bad-text)">
      production
    </Text>
  )
}
