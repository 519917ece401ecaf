import { createTenantryClient, type TenantryClient } from '../../packages/client/src/index.ts'
import type { TestService, TestTenant } from './service.ts'

let networks = 0

/** A client of the tenant in a network without earlier requests. */
export function inNewNetwork({ baseUrl }: TestService, { secretKey }: TestTenant): TenantryClient {
  networks++
  return createTenantryClient({
    baseUrl,
    tenantKey: secretKey,
    clientIp: `10.${networks >> 8}.${networks & 255}.1`,
  })
}
