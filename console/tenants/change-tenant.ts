import { useQueryClient } from '@tanstack/react-query'
import type { AdminInputOf } from '../../packages/client/src/admin.ts'
import { showAnswer } from '../queries.ts'
import { admin } from '../session/admin.ts'
import { tenantQuery } from './tenants-queries.ts'

/** Changes a tenant; what is shown of it follows. */
export function useChangeTenant(tenantId: string) {
  const queries = useQueryClient()
  return async (changes: AdminInputOf<'updateTenant'>) => {
    const tenant = await admin.updateTenant({ tenantId }, changes)
    showAnswer(queries, tenantQuery(tenantId), tenant)
    await queries.invalidateQueries({ queryKey: ['listTenants'] })
  }
}
