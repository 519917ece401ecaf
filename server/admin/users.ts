import type { z } from 'zod'
import type * as operations from '../../contract/admin-users.ts'
import { normaliseEmail } from '../../contract/email-address.ts'
import { normalisePhone } from '../../contract/phone-number.ts'
import { eraseUser } from '../accounts/erase-user.ts'
import { presentManagedUser, type UserFilter } from '../accounts/user.ts'
import type { Handler } from '../core/handler.ts'
import { pageAfter, pageOf } from '../core/pages.ts'
import type { Refuse } from '../core/service-error.ts'
import { record } from '../events/record.ts'
import { aUser } from '../events/subjects.ts'
import { readConditions } from '../profiles/index/search-conditions.ts'
import type { PageRequest } from '../tenants/tenant.ts'
import { getManagedTenant } from './managed-tenant.ts'
import { cursorsOf, findUsers, type UserSearch } from './search-users.ts'

/** `GET /admin/tenants/{t}/users`: all users, or those who match the filters and conditions on profile fields. */
export const listUsers: Handler<typeof operations.listUsers> = async (
  { params, query },
  { now, refuse },
  { storage, snapshots },
) => {
  const filter = readFilter(query, refuse)
  const managed = () => getManagedTenant(storage, params.tenantId, refuse)
  if (query.profile === undefined) {
    const list = async (request: PageRequest) => (await managed()).stores.users.list({ ...request, ...filter })
    return pageOf(query, refuse, list, (user) => presentManagedUser(user, now))
  }
  const { tenant, stores } = await managed()
  const conditions = readConditions(query.profile, (await snapshots.of(tenant)).profileSchema, 'profile')
  if ('validation' in conditions) throw refuse('VALIDATION_ERROR', conditions)
  const search: UserSearch = { filter, ranges: conditions.ranges }
  return pageAfter(
    query,
    refuse,
    cursorsOf(search),
    (page) => findUsers(search, page, stores),
    ({ user }) => presentManagedUser(user, now),
  )
}

function readFilter(
  query: z.output<typeof operations.listUsers.query>,
  refuse: Refuse<'VALIDATION_ERROR'>,
): UserFilter {
  const email = query.email === undefined ? undefined : normaliseEmail(query.email)
  const phone = query.phone === undefined ? undefined : normalisePhone(query.phone)
  const idPrefix = query.id?.toUpperCase()
  const isPrefix = idPrefix === undefined || /^[0-9A-Z]{1,26}$/.test(idPrefix)
  if (email === null || phone === null || !isPrefix) {
    throw refuse('VALIDATION_ERROR', {
      validation: {
        ...(email === null && { email: 'Invalid email' }),
        ...(phone === null && { phone: 'Validation rule not met' }),
        ...(!isPrefix && { id: 'Validation rule not met' }),
      },
    })
  }
  return { ...(email && { email }), ...(phone && { phone }), ...(idPrefix && { idPrefix }) }
}

/** `GET /admin/tenants/{t}/users/{u}`. */
export const getUser: Handler<typeof operations.getUser> = async (
  { params: { tenantId, userId } },
  { now, refuse },
  { storage },
) => {
  const { stores } = await getManagedTenant(storage, tenantId, refuse)
  const user = await stores.users.find(userId)
  if (user === null) throw refuse('USER_NOT_FOUND')
  return presentManagedUser(user, now)
}

/** `DELETE /admin/tenants/{t}/users/{u}`: like the user's `DELETE /account`. */
export const deleteUser: Handler<typeof operations.deleteUser> = async (
  { params: { tenantId, userId } },
  call,
  { storage },
) => {
  const { now, refuse } = call
  const { stores } = await getManagedTenant(storage, tenantId, refuse)
  await stores.write(async (tx) => {
    if (!(await eraseUser(tx, userId, now))) throw refuse('USER_NOT_FOUND')
    await record(tx, call, { type: 'user.deleted', subject: aUser(userId), details: { reason: 'operator' } })
  })
  return undefined
}
