import { createTenantryAdmin } from '../../../packages/client/src/admin.ts'
import { createTenantryClient } from '../../../packages/client/src/index.ts'
import { generateMasterKeys } from '../../../server/secrets/master-keys.ts'
import type { StopRequest } from './stop-clients.ts'

export const stopSecrets = { adminKey: 'stop-campaign-admin-key-of-32-characters', masterKeys: generateMasterKeys(0) }

/** A tenant with one account, and requests for it: a cheap read, a write, and a sign-in that hashes a password. */
export async function prepareStopRequests(baseUrl: string): Promise<StopRequest[]> {
  const admin = createTenantryAdmin({ baseUrl, adminKey: stopSecrets.adminKey })
  const { id: tenantId } = await admin.createTenant({ name: 'Stopped' })
  await admin.publishProfileSchema({ tenantId }, { components: [{ name: 'counter', type: 'integer' }] })
  const { key } = await admin.createTenantKey({ tenantId }, {})
  const account = { method: 'password', email: 'stop@example.com', password: 'long enough' } as const
  const { accessToken } = await createTenantryClient({ baseUrl, tenantKey: key }).signUp(account)
  const headers = { 'x-tenant-key': key }
  const session = { ...headers, authorization: `Bearer ${accessToken}` }
  return [
    { method: 'GET', path: '/tenant-configuration', headers },
    { method: 'PATCH', path: '/account/profile', headers: session, body: { counter: 1 } },
    { method: 'POST', path: '/auth/sign-in', headers, body: account },
  ]
}
