import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { pastedText } from '../../contract/pasted-text.ts'
import { messageOf } from '../parts/pages/problem.tsx'
import { useCan, useOperator } from '../session/session.tsx'
import { tenantNameQuery, tenantsQuery } from './tenants-queries.ts'

export interface TenantOption {
  readonly id: string
  /** Its id if the operator may not read its name. */
  readonly name: string
}

interface TenantOptions {
  readonly options: readonly TenantOption[]
  /** What to do when there are no options. */
  readonly hint: string
}

/** The longest name of a tenant, and so the longest text that the server searches. */
export const longestTenantName = 200

const wholeId = /^[0-9A-HJKMNP-TV-Z]{26}$/

/**
 * The tenants that the operator reaches and that match what is typed. The server finds them by the beginning of a name or an
 * id. Without `tenants:read` it is not asked: an operator of some tenants gets their ids, one of all tenants names an id.
 */
export function useTenantOptions(typed: string, isOpen: boolean): TenantOptions {
  const mayRead = useCan()('tenants:read')
  const own = useOperator()?.tenantIds ?? null
  const q = pastedText(typed)
  const { data, error } = useQuery({
    ...tenantsQuery({ ...(q !== '' && { q }), limit: 50 }),
    enabled: isOpen && mayRead,
    placeholderData: keepPreviousData,
  })
  if (mayRead) {
    const nothing = data === undefined ? 'Searching…' : `No tenant matches “${q}”`
    return { options: data?.items ?? [], hint: error === null ? nothing : messageOf(error) }
  }
  const id = q.toUpperCase()
  if (own === null && !wholeId.test(id)) return { options: [], hint: 'Enter the id of a tenant' }
  return {
    options: (own ?? [id]).filter((one) => one.startsWith(id)).map((one) => ({ id: one, name: one })),
    hint: `None of your tenants has the id “${q}”`,
  }
}

/** The name of a tenant, or its id if the name may not be read. undefined while it is read, and for no tenant. */
export function useTenantName(tenantId: string | undefined): string | undefined {
  const enabled = useCan()('tenants:read', tenantId) && tenantId !== undefined
  const query = useQuery({ ...tenantNameQuery(tenantId ?? ''), enabled })
  return query.isLoading ? undefined : (query.data?.name ?? tenantId)
}
