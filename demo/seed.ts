import { randomBytes } from 'node:crypto'
import { createTenantryAdmin } from '../packages/client/src/admin.ts'
import type { KeptSecrets } from '../server/settings/kept-secrets.ts'
import { demoProfileSchema } from './profile-schema.ts'

/** The ids and credentials needed to try the service. */
type DemoTenant = NonNullable<KeptSecrets['demo']>

interface SeedOptions {
  readonly baseUrl: string
  readonly adminKey: string
  /** A demo tenant that an interrupted startup left; it is deleted. */
  readonly unfinished?: string | undefined
  /** Receives the id of the tenant before it is complete. */
  readonly onCreated?: (tenantId: string) => void
}

/** Creates the demo tenant through the admin API: configuration, schema, key and one user. */
export async function seedDemoTenant({ baseUrl, adminKey, unfinished, onCreated }: SeedOptions): Promise<DemoTenant> {
  const admin = createTenantryAdmin({ baseUrl, adminKey })
  if (unfinished !== undefined) await admin.deleteTenant({ tenantId: unfinished })
  const { id: tenantId } = await admin.createTenant({ name: 'Demo' })
  onCreated?.(tenantId)
  await admin.updateConfiguration(
    { tenantId },
    {
      auth: { methods: ['password', 'otp'] },
      upload: { allowedTypes: ['image/png', 'image/jpeg'], maxSize: 5_242_880 },
    },
  )
  await admin.publishProfileSchema({ tenantId }, demoProfileSchema)
  const { key } = await admin.createTenantKey({ tenantId }, { name: 'demo app' })
  const email = 'demo@example.com'
  const password = randomBytes(9).toString('base64url')
  await admin.createUser(
    { tenantId },
    { email, password, profile: { firstName: 'Demo', nickname: 'demo', country: 'FR' } },
  )
  return { tenantId, tenantKey: key, email, password }
}
