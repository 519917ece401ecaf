import { useDebouncedValue } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { pastedText } from '../../contract/pasted-text.ts'
import { shortId } from '../parts/short-id.ts'
import { useCan } from '../session/session.tsx'
import { useTenantName } from '../tenants/tenant-options.ts'
import { tenantsQuery } from '../tenants/tenants-queries.ts'
import { usersQuery } from '../users/users-queries.ts'
import { pathOf, screensOfDeployment, screensOfTenant, useMayVisit } from './screens.ts'

/** Where one can go. */
export interface Destination {
  readonly path: string
  readonly label: string
  /** What kind of place it is, or whose. */
  readonly about?: string | undefined
}

export interface DestinationGroup {
  readonly name: 'Screens' | 'Tenants' | 'Users'
  readonly destinations: readonly Destination[]
  /** They are those of what was typed before. */
  readonly isOld: boolean
}

const mostOfEach = 6

/** The places that fit what is typed: screens by their names, tenants and the current tenant's users as the server finds them. */
export function useDestinations(typed: string, tenantId: string | undefined): DestinationGroup[] {
  const can = useCan()
  const mayVisit = useMayVisit()
  const [searched] = useDebouncedValue(typed, 150)
  const q = pastedText(searched)
  const now = pastedText(typed)
  const tenantName = useTenantName(tenantId)
  const tenants = useQuery({
    ...tenantsQuery({ ...(q !== '' && { q }), limit: mostOfEach }),
    enabled: can('tenants:read'),
    placeholderData: keepPreviousData,
  })
  const users = useQuery({
    ...usersQuery(tenantId ?? '', { q, limit: mostOfEach }),
    enabled: tenantId !== undefined && isUserSearch(q) && can('users:read', tenantId),
  })
  const ofTenant =
    tenantId === undefined
      ? []
      : screensOfTenant
          .filter((screen) => mayVisit(screen, tenantId))
          .map((screen) => ({ label: screen.label, path: pathOf(screen, tenantId), about: tenantName }))
  const ofDeployment = screensOfDeployment
    .filter((screen) => mayVisit(screen))
    .map(({ label, path }) => ({ label, path, about: 'Deployment' }))
  const screens = [...ofTenant, ...ofDeployment]
  return (
    [
      {
        name: 'Screens',
        destinations: screens.filter(({ label }) => fits(label, now)).slice(0, now === '' ? 16 : mostOfEach),
        isOld: false,
      },
      {
        name: 'Tenants',
        destinations: (tenants.data?.items ?? []).map(({ id, name }) => ({
          path: `/tenants/${id}`,
          label: name,
          about: shortId(id),
        })),
        isOld: q !== now || tenants.isPlaceholderData,
      },
      {
        name: 'Users',
        destinations: (users.data?.items ?? []).map(({ id, email, phone }) => ({
          path: `/tenants/${tenantId}/users/${id}`,
          label: email ?? phone ?? id,
          about: shortId(id),
        })),
        isOld: q !== now,
      },
    ] satisfies DestinationGroup[]
  ).filter(({ destinations }) => destinations.length > 0)
}

/** An address, a number or an id, or the beginning of one: three characters and more. Only a number has spaces. */
const isUserSearch = (q: string): boolean => /^(?:\S{3,254}|[+\uff0b].{2,253})$/.test(q)

/** Each typed word begins a word of the label. */
const fits = (label: string, typed: string): boolean => {
  const words = label.toLowerCase().split(/[\s-]+/)
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((part) => words.some((word) => word.startsWith(part)))
}
