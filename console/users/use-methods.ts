import { useQuery } from '@tanstack/react-query'
import type { AuthMethod } from '../../packages/client/src/admin.ts'
import { settingsQuery } from '../parts/settings/settings-queries.ts'
import { useCan } from '../session/session.tsx'

/** The ways to sign in that the tenant has switched on; undefined until they are known, or if the operator may not read them. */
export function useMethods(tenantId: string, isNeeded = true): readonly AuthMethod[] | undefined {
  const can = useCan()
  const enabled = isNeeded && can('configuration:read', tenantId)
  const modules = useQuery({ ...settingsQuery(tenantId), enabled }).data?.modules
  return modules && (modules.auth?.methods ?? [])
}
