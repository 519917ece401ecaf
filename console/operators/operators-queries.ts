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

/** Operators are few: all their names are read at once, and again after five minutes. */
export const operatorNamesQuery = { ...operatorsQuery({ limit: 200 }), staleTime: 300_000 }
