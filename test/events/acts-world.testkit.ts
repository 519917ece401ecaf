import type { Recorded } from '../support/events/recorded-events.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

/** A service with a tenant for the acts of an operator. */
export interface ActsWorld {
  readonly service: TestService
  readonly admin: TestService['admin']
  readonly tenant: TestTenant
  /** The path of the tenant. */
  readonly path: { readonly tenantId: string }
}

/** An expected event; unless given, the root key did it. */
export type Expected = Omit<Recorded, 'outcome' | 'actor'> & Partial<Recorded>

/** Calls an operation. What it did before `begin` is preparation; the events after it are returned. */
type Act = (world: ActsWorld, begin: () => void) => Promise<Expected[]>

/** Acts of an operation, by what they show. */
export type Acts = Readonly<Record<string, Act>>

export async function openActsWorld(): Promise<ActsWorld> {
  const service = await startTestService()
  const tenant = await service.addTenant()
  return { service, admin: service.admin, tenant, path: { tenantId: tenant.tenantId } }
}
