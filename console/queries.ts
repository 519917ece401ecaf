import { type FetchQueryOptions, MutationCache, QueryCache, QueryClient, type QueryKey } from '@tanstack/react-query'
import { TenantryAnswerError, TenantryConnectionError, TenantryError } from '../packages/client/src/errors.ts'

/**
 * Failures that pass by themselves: the service did not answer, or could not, or a proxy said so for it. What is stored
 * damaged stays damaged.
 */
export const mayPass = (error: unknown): boolean =>
  error instanceof TenantryConnectionError ||
  (error instanceof TenantryAnswerError && error.status >= 500) ||
  (error instanceof TenantryError && error.status >= 500 && error.code !== 'EVENT_LOG_DAMAGED')

/** Half a minute without an answer is said at once: two more attempts would take another minute. */
export const hasTimedOut = (error: unknown): boolean =>
  error instanceof TenantryConnectionError && error.cause instanceof DOMException && error.cause.name === 'TimeoutError'

/** The server seals events soon after the act. */
const sealedAfterMs = 1_000

/** Keys are `[operation, params, query]`; each feature makes its own in `x-queries.ts`. */
export function createQueries(): QueryClient {
  // Another operator has taken a scope away: what needs it is hidden from the next screen on. This one keeps what was typed.
  const readScopesAgain = (error: Error): void => {
    if (error instanceof TenantryError && error.code === 'INSUFFICIENT_SCOPE')
      void queries.invalidateQueries({ queryKey: ['getConsoleSession'], refetchType: 'none' })
  }
  // Something is gone, or is not as the screen shows it, or was changed although the answer is lost.
  const readShownAgain = (error: Error): void => {
    if (mayPass(error) || (error instanceof TenantryError && (error.status === 404 || error.status === 422)))
      void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'getConsoleSession' })
  }
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: readScopesAgain }),
    // Acts and their refusals are recorded: a list of events that is shown then gets them.
    mutationCache: new MutationCache({
      onError(error) {
        readScopesAgain(error)
        readShownAgain(error)
      },
      onSettled: () =>
        void setTimeout(() => void queries.invalidateQueries({ queryKey: ['listEvents'] }), sealedAfterMs),
    }),
    defaultOptions: {
      // Requests do not wait for the network: an act would happen after the operator has given it up.
      queries: {
        networkMode: 'always',
        refetchOnReconnect: true,
        staleTime: 15_000,
        retry: (count, error) => count < 2 && mayPass(error) && !hasTimedOut(error),
      },
      // What was sent or answered can be a secret, which goes with the form that shows it.
      mutations: { networkMode: 'always', retry: false, gcTime: 1_000 },
    },
  })
  return queries
}

/**
 * What is stored now. A read that began earlier would end with what was stored then, so it is replaced, not shared. Another
 * `readNow` that waits for it gets the answer of this one, not what was shown before both.
 */
export function readNow<Data, Key extends QueryKey>(
  queries: QueryClient,
  query: FetchQueryOptions<Data, Error, Data, Key>,
): Promise<Data> {
  void queries.cancelQueries({ queryKey: query.queryKey, exact: true }, { silent: true })
  return queries.fetchQuery({ ...query, staleTime: 0 })
}

/** Shows what an act has answered. A read that began before the act would replace it with what was stored then. */
export function showAnswer<Data, Key extends QueryKey>(
  queries: QueryClient,
  { queryKey }: FetchQueryOptions<Data, Error, Data, Key>,
  answer: NoInfer<Data>,
): void {
  void queries.cancelQueries({ queryKey, exact: true })
  queries.setQueryData<unknown>(queryKey, answer)
}
