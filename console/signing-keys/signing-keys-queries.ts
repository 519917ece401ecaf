import { queryOptions } from '@tanstack/react-query'
import type { AdminOutputOf } from '../../packages/client/src/admin.ts'
import { admin } from '../session/admin.ts'

export type SigningKey = AdminOutputOf<'listSigningKeys'>['keys'][number]

export const signingKeysQuery = queryOptions({
  queryKey: ['listSigningKeys'],
  queryFn: ({ signal }) => admin.listSigningKeys({ signal }),
})
