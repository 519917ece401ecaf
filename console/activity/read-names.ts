import type { QueryClient } from '@tanstack/react-query'
import { operatorNamesQuery } from '../operators/operators-queries.ts'
import { readCan } from '../session/session.tsx'
import { readTenantNames } from '../tenants/tenants-queries.ts'
import type { RecordedEvent } from './recorded-event.ts'

/** Reads the names of the tenants and operators of events, so that no row grows when they come. */
export async function readNames(queries: QueryClient, events: readonly RecordedEvent[]): Promise<void> {
  const parties = events.flatMap(({ actor, subject }) => [actor, subject])
  const tenantIds = parties.flatMap(({ kind, id }) => (kind === 'tenant' && id !== null ? [id] : []))
  const namesOperators = parties.some(({ kind, id }) => kind === 'operator' && id !== 'root')
  await Promise.all([
    readTenantNames(queries, tenantIds),
    namesOperators && readCan(queries)('operators:read', null) && queries.prefetchQuery(operatorNamesQuery),
  ])
}
