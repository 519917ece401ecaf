import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { createContext, use } from 'react'
import { operatorNamesQuery } from '../operators/operators-queries.ts'
import { shortId } from '../parts/short-id.ts'
import { useCan } from '../session/session.tsx'
import { TenantName } from '../tenants/tenant-name.tsx'
import classes from './activity.module.css'
import type { ActorKind, SubjectKind } from './recorded-event.ts'

/** The user whose page shows the events: there, no sentence links to it. */
export const PageUser = createContext<string | null>(null)

interface PartyProps {
  readonly kind: ActorKind | SubjectKind
  readonly id: string | null
  readonly tenantId: string | null
}

/** Who acted, or what an event is about, within a sentence. */
export function Party({ kind, id, tenantId }: PartyProps) {
  switch (kind) {
    case 'anonymous':
      return 'an unknown caller'
    case 'system':
      return 'the service'
    case 'address':
      return 'an unknown account'
    case 'configuration':
      return 'the configuration'
    case 'operator':
      return <OperatorName id={id} />
    case 'tenant':
      // An event of the deployment's log is about no tenant in particular.
      if (id === null) return 'the deployment'
      return (
        <>
          the tenant <TenantName tenantId={id} />
        </>
      )
    case 'user':
      return <UserLink id={id} tenantId={tenantId} />
    case 'tenantKey':
      return <>the key {shortened(id)}</>
    case 'profileSchema':
      return <>version {shortened(id)}</>
    default:
      return <>{shortened(id)}</>
  }
}

/** With the whole id as its title. */
const shortened = (id: string | null) =>
  id === null ? (
    ''
  ) : (
    <bdi title={id} className={classes['id']}>
      {shortId(id)}
    </bdi>
  )

function UserLink({ id, tenantId }: { readonly id: string | null; readonly tenantId: string | null }) {
  const can = useCan()
  const isOfPage = use(PageUser) === id
  if (id === null) return 'a user'
  if (isOfPage) return 'the user'
  if (tenantId === null || !can('users:read', tenantId)) return <>the user {shortened(id)}</>
  return (
    <>
      the user{' '}
      <Link className={classes['link']} to="/tenants/$tenantId/users/$userId" params={{ tenantId, userId: id }}>
        {shortened(id)}
      </Link>
    </>
  )
}

function OperatorName({ id }: { readonly id: string | null }) {
  const { data } = useQuery({ ...operatorNamesQuery, enabled: useCan()('operators:read', null) })
  if (id === 'root') return 'the root key'
  const name = id === null ? undefined : data?.[id]
  return <>the operator {name === undefined ? shortened(id) : <bdi>{name}</bdi>}</>
}
