import { type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { isGranted, type Scope } from '../../contract/scopes.ts'
import { tellOtherTabs } from './other-tabs.ts'
import { type ConsoleSession, endSession, readSession, type SignedInOperator } from './session-requests.ts'

export const sessionQuery = queryOptions<ConsoleSession>({
  queryKey: ['getConsoleSession'],
  queryFn: ({ signal }) => readSession(signal),
  staleTime: Number.POSITIVE_INFINITY,
  // Once invalidated, it is read by the next screen.
  ...{ refetchOnMount: false, refetchOnWindowFocus: false, refetchOnReconnect: false },
})

/** Who is signed in; null before the first answer and without a session. */
export const useOperator = (): SignedInOperator | null => useQuery(sessionQuery).data?.operator ?? null

/** Whether the operator may do what a scope names. The API refuses it all the same. */
export const useCan = (): Can => canOf(useOperator())

/** Whether a scope is granted: at this tenant, at the deployment (null), or anywhere. */
type Can = (scope: Scope, tenantId?: string | null) => boolean

const canOf =
  (operator: SignedInOperator | null): Can =>
  (scope, tenantId) =>
    operator !== null &&
    isGranted(operator.scopes, scope) &&
    (tenantId === undefined || operator.tenantIds === null || operator.tenantIds.includes(tenantId ?? ''))

/** As `useCan`, outside components. */
export const readCan = (queries: QueryClient): Can =>
  canOf(queries.getQueryData(sessionQuery.queryKey)?.operator ?? null)

/** Ends the session and forgets everything that was shown. */
export function useSignOut(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await endSession()
    tellOtherTabs()
    queries.clear()
    queries.setQueryData(sessionQuery.queryKey, { operator: null, expiresAt: null })
  }
}
