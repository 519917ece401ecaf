import type { Stores, TenantStorage } from '../storage.ts'
import type { OpenedStorage } from './opened-storage.testkit.ts'
import type { Ids } from './two-tenants.testkit.ts'

/**
 * A call of tenant B on rows whose ids A has too, or with values that A uses, and the expected result: on the seeded
 * rows, and after all earlier calls.
 */
export type SharedCall = [call: (tenantB: TenantStorage) => Promise<unknown>, answer: unknown]

/**
 * A call of tenant B with ids of rows that it does not have, and the expected result whether or not another tenant has
 * them.
 */
export type ForeignCall = [call: (tenantB: Stores, ids: Ids) => Promise<unknown>, answer: unknown]

/**
 * Throws when one tenant reaches another's rows. It passes on the rows of `seedTwoTenants`, and after earlier probes.
 */
export type Probe = (opened: OpenedStorage) => Promise<void>
