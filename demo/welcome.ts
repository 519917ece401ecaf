import type { Services } from '../server/services.ts'
import { keepSecrets, readKeptSecrets } from '../server/settings/kept-secrets.ts'

/** The addresses that the welcome prints. */
interface WelcomeOptions {
  readonly baseUrl: string
  /** Where `/admin` is served; `baseUrl` unless it has a separate listener. */
  readonly adminUrl: string
  /** A configured key is not printed, because terminals and logs keep output. */
  readonly isAdminKeyGenerated: boolean
  /** Writes lines for people. */
  readonly print: (lines: string) => void
}

/** In development: creates the demo tenant at the first startup, or after one that was interrupted, and prints how to continue. */
export async function welcome(
  { storage, snapshots, adminKey }: Services,
  path: string,
  { baseUrl, adminUrl, isAdminKeyGenerated, print }: WelcomeOptions,
): Promise<void> {
  const { demo: kept, unfinishedDemo: left } = readKeptSecrets(path)
  // The stored tenants may belong to a different database.
  let demo = kept && (await snapshots.find(kept.tenantId)) ? kept : undefined
  const unfinished = left && (await snapshots.find(left)) ? left : undefined
  if (adminKey !== null && (unfinished !== undefined || (await storage.system.tenants.count()) === 0)) {
    // Only here, because it loads the client.
    const { seedDemoTenant } = await import('./seed.ts')
    const onCreated = (unfinishedDemo: string) => keepSecrets(path, { unfinishedDemo })
    demo = await seedDemoTenant({ baseUrl: adminUrl, adminKey, unfinished, onCreated })
    keepSecrets(path, { demo, unfinishedDemo: undefined })
  }
  print(
    [
      '',
      `Tenantry is listening on ${baseUrl}`,
      ...(demo ? [`  tenant key  ${demo.tenantKey}`, `  demo user   ${demo.email}  ${demo.password}`] : []),
      ...(adminKey !== null && isAdminKeyGenerated ? [`  admin key   ${adminKey}`] : []),
      ...(adminUrl !== baseUrl ? [`  admin API   ${adminUrl}`] : []),
      `  console     ${adminUrl}/console/`,
      `  API docs    ${baseUrl}/docs`,
      ...(demo
        ? [
            '',
            'Try it:',
            `  curl -s ${baseUrl}/tenant-configuration -H "X-Tenant-Key: ${demo.tenantKey}"`,
            '',
            'Run the demo: npm run demo',
          ]
        : []),
      '',
    ].join('\n'),
  )
}
