import { createTenantryAdmin } from '../packages/client/src/admin.ts'
import type { Child } from './child.ts'
import { tenantId } from './generated-rows.ts'
import { adminKey } from './tenant.ts'

/** The parameters of a list of users. */
export type Query = Readonly<Record<string, string>>

export const pathOf = (query: Query) => `/admin/tenants/${tenantId}/users?${new URLSearchParams(query)}`

const pagesBefore = 5

/** A search with the cursor of a later page, or the last one that has a next page. */
export async function laterPage({ port }: Child, query: Query): Promise<Query> {
  const admin = createTenantryAdmin({ baseUrl: `http://127.0.0.1:${port}`, adminKey })
  let later = query
  for (let page = 0; page < pagesBefore; page++) {
    const { nextCursor } = await admin.listUsers({ tenantId }, later)
    if (nextCursor === null) break
    later = { ...query, cursor: nextCursor }
  }
  return later
}
