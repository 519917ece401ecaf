import type { ProfileSchemaInput } from '../contract/profile-schema.ts'
import { createTenantryAdmin } from '../packages/client/src/admin.ts'

/** The admin key of every server that a bench starts. */
export const adminKey = 'bench-admin-key-of-at-least-32-characters'

/** The tenant of a bench. */
export interface BenchTenant {
  readonly tenantId: string
  readonly tenantKey: string
  readonly schemaVersion: string
}

/** Creates a tenant with a configuration of about 20 KB, through the API. */
export async function createBenchTenant(baseUrl: string): Promise<BenchTenant> {
  const admin = createTenantryAdmin({ baseUrl, adminKey })
  const { id: tenantId } = await admin.createTenant({ name: 'Bench' })
  const otp = { resendIntervalSeconds: 0, maxResends: 20, ttlSeconds: 3600 }
  await admin.updateConfiguration({ tenantId }, { auth: { methods: ['password', 'otp'] }, otp })
  const { version } = await admin.publishProfileSchema({ tenantId }, schemaOf20Kb())
  const { key: tenantKey } = await admin.createTenantKey({ tenantId }, {})
  return { tenantId, tenantKey, schemaVersion: version }
}

/**
 * Resolves once the service reads what another process has written to its SQLite file: reads keep their state from before a
 * commit until it is synced, so they are up to date when a later write is answered.
 */
export async function untilRead(baseUrl: string, { tenantId }: BenchTenant): Promise<void> {
  await createTenantryAdmin({ baseUrl, adminKey }).updateTenant({ tenantId }, { name: 'Bench' })
}

/** Sixty fields with labels and descriptions in three languages. */
function schemaOf20Kb(): ProfileSchemaInput {
  const words = (field: number, language: string) =>
    `A description of field ${field} that is as long as a real one would be (${language}).`
  return {
    components: Array.from({ length: 60 }, (_, i) => ({
      name: `field${i}`,
      type: 'text' as const,
      label: `Field ${i}`,
      description: { default: words(i, 'en'), fr: words(i, 'fr'), de: words(i, 'de') },
      rules: { maxLength: 200 },
    })),
  }
}
