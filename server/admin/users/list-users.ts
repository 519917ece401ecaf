import type { listUsers as operation } from '../../../contract/admin/users.ts'
import { isInState, presentManagedUser, type User } from '../../accounts/user.ts'
import type { Call } from '../../core/call.ts'
import type { Handler } from '../../core/handler.ts'
import { readConditions } from '../../profiles/index/search-conditions.ts'
import type { Services } from '../../services.ts'
import { getManagedTenant } from '../managed-tenant.ts'
import { type Listing, pageOfMatching } from './matching-page.ts'
import { addressListing, idListing, type ListedUser, profileListing } from './user-listings.ts'
import { readUserQuery, type UserQuery } from './user-query.ts'

/** `GET /admin/tenants/{t}/users`: all users, or those who match the search, filters and conditions on profile fields. */
export const listUsers: Handler<typeof operation> = async ({ params, query }, call, services) => {
  const { now, refuse } = call
  const read = readUserQuery(query)
  if ('validation' in read) throw refuse('VALIDATION_ERROR', read)
  const isListed = (user: User) => query.state === undefined || isInState(user, query.state, now)
  const listing = await listingOf(read, query.profile, params.tenantId, call, services)
  return pageOfMatching(
    query,
    refuse,
    listing,
    ({ user }) => isListed(user),
    ({ user }) => presentManagedUser(user, now),
  )
}

/** The list that answers a query. Only conditions on profile fields are judged by the tenant. */
async function listingOf(
  read: UserQuery,
  conditions: Readonly<Record<string, string>> | undefined,
  tenantId: string,
  { refuse }: Call<typeof operation>,
  { storage, snapshots }: Services,
): Promise<Listing<ListedUser>> {
  let managed: ReturnType<typeof getManagedTenant> | undefined
  const getManaged = () => {
    managed ??= getManagedTenant(storage, tenantId, refuse)
    return managed
  }
  const users = async () => (await getManaged()).stores.users
  if ('search' in read) return addressListing(read.search, users)
  if (conditions === undefined) return idListing(read.filter, users)
  const { tenant, stores } = await getManaged()
  const judged = readConditions(conditions, (await snapshots.of(tenant)).profileSchema)
  if ('validation' in judged) throw refuse('VALIDATION_ERROR', judged)
  return profileListing({ filter: read.filter, ranges: judged.ranges }, stores)
}
