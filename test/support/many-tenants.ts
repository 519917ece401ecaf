import { ulid } from '../../server/core/ids.ts'
import { emptyProfileSchema } from '../../server/profiles/schema/define/define-profile-schema.ts'
import { defaultModules } from '../../server/tenants/tenant-configuration.ts'
import type { TestService } from './service.ts'

const DAY = 86_400_000

/** Stores tenants as the API makes them, in one transaction instead of a request for each. Returns their ids. */
export async function addManyTenants({ service, clock }: TestService, names: readonly string[]): Promise<string[]> {
  const first = clock.now() - DAY
  const schema = { ...emptyProfileSchema, migrations: [] }
  return service.services.storage.system.write(async (tx) => {
    const ids: string[] = []
    for (const [index, name] of names.entries()) {
      const now = first + index
      const id = ulid(now)
      const times = { createdAt: now, updatedAt: now }
      const tenant = { id, name, suspended: false, restrictedCapabilities: [], revision: 1, ...times }
      await tx.tenants.add(tenant, defaultModules, { ordinal: 1, schema, publishedAt: now, publishedBy: 'root' })
      ids.push(id)
    }
    return ids
  })
}
