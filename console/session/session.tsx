import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { isGranted, type Scope } from '../../contract/scopes.ts'
import { type ConsoleSession, endSession, readSession, type SignedInOperator } from './session-requests.ts'

export const sessionQuery = queryOptions<ConsoleSession>({
  queryKey: ['getConsoleSession'],
  queryFn: ({ signal }) => readSession(signal),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Who is signed in; null before the first answer and without a session. */
export const useOperator = (): SignedInOperator | null => useQuery(sessionQuery).data?.operator ?? null

/** Whether the operator may do what `scope` names, at this tenant if one is given. The API refuses it all the same. */
export function useCan(): (scope: Scope, tenantId?: string) => boolean {
  const operator = useOperator()
  return (scope, tenantId) =>
    operator !== null &&
    isGranted(operator.scopes, scope) &&
    (tenantId === undefined || operator.tenantIds === null || operator.tenantIds.includes(tenantId))
}

/** Whether the operator reaches the deployment, and not only some of its tenants. */
export const useReachesDeployment = (): boolean => useOperator()?.tenantIds === null

/** Ends the session and forgets everything that was shown. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await endSession()
    queries.clear()
    queries.setQueryData(sessionQuery.queryKey, { operator: null, expiresAt: null })
  }
}
