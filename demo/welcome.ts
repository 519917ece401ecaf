import { keepSecrets, readKeptSecrets } from '../server/kept-secrets.ts'
import type { Services } from '../server/services.ts'
import { seedDemoTenant } from './seed.ts'

/** In development: makes the demo tenant at the first start, and says in a few lines how to go on. */
export async function welcome(
  { storage, snapshots, adminKey }: Services,
  path: string,
  baseUrl: string,
): Promise<void> {
  const { demo: kept } = readKeptSecrets(path)
  // The one that is kept may be another database's.
  let demo = kept && (await snapshots.find(kept.tenantId)) ? kept : undefined
  if ((await storage.system.tenants.count()) === 0) {
    demo = await seedDemoTenant(baseUrl, adminKey)
    keepSecrets(path, { demo })
  }
  console.log(
    [
      '',
      `Tenantry is listening on ${baseUrl}`,
      ...(demo ? [`  tenant key  ${demo.tenantKey}`, `  demo user   ${demo.email}  ${demo.password}`] : []),
      `  admin key   ${adminKey}`,
      `  API docs    ${baseUrl}/docs`,
      ...(demo
        ? [
            '',
            'Try it:',
            `  curl -s ${baseUrl}/tenant-configuration -H 'X-Tenant-Key: ${demo.tenantKey}'`,
            '',
            'Or the whole story: npm run demo',
          ]
        : []),
      '',
    ].join('\n'),
  )
}
