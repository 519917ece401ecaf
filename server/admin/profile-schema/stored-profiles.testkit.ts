import assert from 'node:assert/strict'
import type { ProfileValues } from '../../../contract/fields/field-type.ts'
import type { ProfileSchemaInput } from '../../../contract/profile-schema.ts'
import type { TestService } from '../../../test/support/service.ts'
import { ulid } from '../../core/ids.ts'

/** A new tenant with this profile schema. */
export async function newTenantWith({ admin }: TestService, schema: ProfileSchemaInput): Promise<string> {
  const { id: tenantId } = await admin.createTenant({ name: 'Test' })
  await admin.publishProfileSchema({ tenantId }, schema)
  return tenantId
}

/** Stores profiles directly, for tests that cover only reading. */
export async function storeProfiles(
  { service }: TestService,
  tenantId: string,
  schemaVersion: string,
  all: readonly ProfileValues[],
): Promise<void> {
  await service.services.storage.forTenant(tenantId).write(async (tx) => {
    for (const values of all) {
      const row = { id: ulid(1), userId: ulid(1), schemaVersion, values, createdAt: 1, updatedAt: 1 }
      assert.ok(await tx.profiles.save(row, null))
    }
  })
}
