import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import type { AdminInputOf, ManagedUser } from '../../packages/client/src/admin.ts'
import { showAnswer } from '../queries.ts'
import { admin } from '../session/admin.ts'

/** A user in a path of the API. */
export interface UserPath {
  readonly tenantId: string
  readonly userId: string
}

export const usersQuery = (tenantId: string, query: AdminInputOf<'listUsers'>) =>
  queryOptions({
    queryKey: ['listUsers', { tenantId }, query],
    queryFn: ({ signal }) => admin.listUsers({ tenantId }, query, { signal }),
  })

export const userQuery = (path: UserPath) =>
  queryOptions({
    queryKey: ['getUser', path],
    queryFn: ({ signal }) => admin.getUser(path, { signal }),
  })

export const identitiesQuery = (path: UserPath) =>
  queryOptions({
    queryKey: ['listUserIdentities', path],
    queryFn: async ({ signal }) => (await admin.listUserIdentities(path, { signal })).identities,
  })

export const sessionsQuery = (path: UserPath) =>
  queryOptions({
    queryKey: ['listUserSessions', path],
    queryFn: async ({ signal }) => (await admin.listUserSessions(path, { signal })).sessions,
  })

/** The profile with its revision, for `If-Match`. */
export const profileQuery = (path: UserPath) =>
  queryOptions({
    queryKey: ['readUserProfile', path],
    queryFn: async ({ signal }) => {
      let etag = ''
      const profile = await admin.readUserProfile(path, { signal, onEtag: (read) => (etag = read) })
      return { profile, etag }
    },
  })

export const currentSchemaQuery = (tenantId: string) =>
  queryOptions({
    queryKey: ['readProfileSchema', { tenantId }, {}],
    queryFn: ({ signal }) => admin.readProfileSchema({ tenantId }, {}, { signal }),
  })

/** The latest messages to the addresses of a user. */
export const messagesToQuery = (tenantId: string, recipients: readonly string[]) =>
  queryOptions({
    queryKey: ['listMessages', { tenantId }, { recipients }],
    queryFn: async ({ signal }) => {
      const pages = await Promise.all(
        recipients.map((recipient) =>
          admin.listMessages({ tenantId }, { recipient, limit: shownMessages }, { signal }),
        ),
      )
      const all = pages.flatMap(({ items }) => items)
      return all.toSorted((one, other) => (one.id < other.id ? 1 : -1)).slice(0, shownMessages)
    },
    // Those that are on their way move by themselves.
    refetchInterval: ({ state: { data } }) =>
      data?.some(({ state }) => state === 'queued' || state === 'sending') ? 5_000 : false,
  })
const shownMessages = 8

/** Changes the account of a user. The answer is shown at once; what follows from it is read again. */
export function useUpdateUser(path: UserPath) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (changes: AdminInputOf<'updateUser'>) => admin.updateUser(path, changes),
    onSuccess: (user) => showUser(queries, path, user),
  })
}

function showUser(queries: QueryClient, path: UserPath, user: ManagedUser): void {
  showAnswer(queries, userQuery(path), user)
  void queries.invalidateQueries({ queryKey: ['listUsers', { tenantId: path.tenantId }] })
  void queries.invalidateQueries(identitiesQuery(path))
  void queries.invalidateQueries(sessionsQuery(path))
}

/** After users were added or removed. */
export const readUsersAgain = (queries: QueryClient, tenantId: string): Promise<void> =>
  queries.invalidateQueries({ queryKey: ['listUsers', { tenantId }] })
