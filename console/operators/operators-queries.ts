import { queryOptions } from '@tanstack/react-query'
import type { AdminInputOf, AdminOutputOf } from '../../packages/client/src/admin.ts'
import { admin } from '../session/admin.ts'

/** An operator, without the key. */
export type Operator = AdminOutputOf<'listOperators'>['items'][number]
export type OperatorWithKey = AdminOutputOf<'createOperator'>

export const operatorsQuery = (query: AdminInputOf<'listOperators'>) =>
  queryOptions({
    queryKey: ['listOperators', {}, query],
    queryFn: ({ signal }) => admin.listOperators(query, { signal }),
  })

/** Every list of operators. */
export const allOperators = ['listOperators']

/** The names of all operators by id, which are few, and read again after five minutes. */
export const operatorNamesQuery = queryOptions({
  queryKey: [...allOperators, {}, 'names'],
  queryFn: async ({ signal }) => {
    const names: Record<string, string> = {}
    let cursor: string | undefined
    do {
      const { items, nextCursor } = await admin.listOperators({ cursor, limit: 200 }, { signal })
      for (const { id, name } of items) names[id] = name
      cursor = nextCursor ?? undefined
    } while (cursor !== undefined)
    return names
  },
  staleTime: 300_000,
})
