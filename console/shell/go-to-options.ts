import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { shortId } from '../parts/short-id.ts'
import { admin } from '../session/admin.ts'
import { useCan } from '../session/session.tsx'
import { useTenantName } from '../tenants/tenant-options.ts'
import { tenantsQuery } from '../tenants/tenants-queries.ts'
import { screensOfDeployment, screensOfTenant, useMayVisit } from './screens.ts'

/** Where one can go. */
export interface Destination {
  readonly path: string
  readonly label: string
  /** What kind of place it is, or whose. */
  readonly about?: string
}

export interface DestinationGroup {
  readonly name: 'Screens' | 'Tenants' | 'Users'
  readonly destinations: readonly Destination[]
}

const mostOfEach = 6

const foundUsersQuery = (tenantId: string, q: string) =>
  queryOptions({
    queryKey: ['listUsers', { tenantId }, { q, limit: mostOfEach }],
    queryFn: ({ signal }) => admin.listUsers({ tenantId }, { q, limit: mostOfEach }, { signal }),
  })

/** The places that fit what is typed: screens by their names, tenants and the current tenant's users as the server finds them. */
export function useDestinations(typed: string, tenantId: string | undefined, isOpen: boolean): DestinationGroup[] {
  const can = useCan()
  const mayVisit = useMayVisit()
  const q = typed.trim()
  const tenantName = useTenantName(tenantId)
  const tenants = useQuery({
    ...tenantsQuery({ ...(q !== '' && { q }), limit: mostOfEach }),
    enabled: isOpen && can('tenants:read'),
    placeholderData: keepPreviousData,
  })
  const users = useQuery({
    ...foundUsersQuery(tenantId ?? '', q),
    enabled: isOpen && tenantId !== undefined && isUserSearch(q) && can('users:read', tenantId),
  })
  const screens = [
    ...(tenantId === undefined ? [] : screensOfTenant.filter((screen) => mayVisit(screen, tenantId))).map(
      ({ label, path }) => ({
        label,
        path: path.replace('$tenantId', tenantId!),
        about: tenantName!,
      }),
    ),
    ...screensOfDeployment
      .filter((screen) => mayVisit(screen))
      .map(({ label, path }) => ({ label, path, about: 'Deployment' })),
  ]
  return (
    [
      {
        name: 'Screens',
        destinations: screens.filter(({ label }) => fits(label, q)).slice(0, q === '' ? 16 : mostOfEach),
      },
      {
        name: 'Tenants',
        destinations: (tenants.data?.items ?? []).map(({ id, name }) => ({
          path: `/tenants/${id}`,
          label: name,
          about: shortId(id),
        })),
      },
      {
        name: 'Users',
        destinations: (users.data?.items ?? []).map(({ id, email, phone }) => ({
          path: `/tenants/${tenantId}/users/${id}`,
          label: email ?? phone ?? id,
          about: shortId(id),
        })),
      },
    ] satisfies DestinationGroup[]
  ).filter(({ destinations }) => destinations.length > 0)
}

/** An address, a number or an id, or the beginning of one: three characters and more, without a space. */
const isUserSearch = (q: string): boolean => /^[^\s]{3,254}$/.test(q)

/** Each typed word begins a word of the label. */
const fits = (label: string, typed: string): boolean => {
  const words = label.toLowerCase().split(/[\s-]+/)
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)))
}
