import closeWithGrace from 'close-with-grace'
import { pino } from 'pino'
import { welcome } from '../demo/welcome.ts'
import { systemClock } from './clock.ts'
import { readConfig } from './config.ts'
import { findSenderProblems } from './delivery/require-senders.ts'
import { createDeploymentSenders } from './delivery/senders/create-deployment-senders.ts'
import { requireSecrets } from './kept-secrets.ts'
import { createService, type Service } from './service.ts'
import { ConfigError } from './settings-reader.ts'
import { openSqliteStorage } from './storage/sqlite/sqlite-storage.ts'

/** Environment in, process out. */
async function run(): Promise<void> {
  const config = readConfig(process.env)
  const logger = pino({ level: config.logLevel })
  const clock = systemClock
  const secrets = requireSecrets(config, clock.now())
  const storage = await openSqliteStorage({ path: config.databasePath })
  const deploymentSenders = createDeploymentSenders(config.senders)
  const service = await createService({ ...config, ...secrets, clock, logger, storage, deploymentSenders })
  if (config.environment === 'production') await requireSenders(service)
  const address = await service.http.listen({ host: config.host, port: config.port })
  closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
    if (err) logger.error({ err }, 'unexpected error: closing')
    await service.close()
  })
  if (config.environment === 'development') await welcome(service.services, config.databasePath, address)
}

/** Codes that never arrive are worse than a service that does not start. */
async function requireSenders(service: Service): Promise<void> {
  const { storage, snapshots, courier, logger } = service.services
  const { missing, warnings } = await findSenderProblems(storage, snapshots, courier)
  for (const warning of warnings) logger.warn(warning)
  if (missing.length === 0) return
  await service.close()
  throw new ConfigError(missing)
}

try {
  await run()
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [(error as Error).message]
  console.error(`Tenantry cannot start:\n${lines.map((line) => `  ${line}`).join('\n')}`)
  process.exit(1)
}
