import { queryOptions } from '@tanstack/react-query'
import { admin } from '../session/admin.ts'

/** What the deployment is; it changes with a restart only. */
export const deploymentQuery = queryOptions({
  queryKey: ['getDeployment'],
  queryFn: ({ signal }) => admin.getDeployment({ signal }),
  staleTime: 300_000,
})
