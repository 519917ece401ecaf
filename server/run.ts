import closeWithGrace from 'close-with-grace'
import { pino } from 'pino'
import { welcome } from '../demo/welcome.ts'
import { readConfig } from './config.ts'
import { followDatabaseTime } from './database-time.ts'
import { findSenderProblems } from './delivery/require-senders.ts'
import { createDeploymentSenders } from './delivery/senders/create-deployment-senders.ts'
import { requireSecrets, secretsPathOf } from './kept-secrets.ts'
import { openDatabase } from './open-database.ts'
import { openLimiter } from './open-limiter.ts'
import { lockForServer } from './server-lock.ts'
import { createService, type Service } from './service.ts'
import { ConfigError } from './settings-reader.ts'

/** Environment in, process out. */
async function run(): Promise<void> {
  const config = readConfig(process.env)
  const output = pino.destination(1)
  const logger = pino({ level: config.logLevel }, output)
  for (const warning of config.warnings) logger.warn(warning)
  const lock = lockForServer(config.database)
  const secrets = requireSecrets(config, Date.now())
  const storage = await openDatabase(config.database)
  const time = await followDatabaseTime(storage, logger)
  const limiter = await openLimiter(config, storage, logger)
  const deploymentSenders = createDeploymentSenders(config.senders)
  const { clock } = time
  const separateAdmin = config.admin !== null
  const service = await createService({
    ...config,
    ...{ ...secrets, clock, logger, storage, limiter, deploymentSenders, separateAdmin },
    requestLog: { mode: config.requestLog, write: (lines) => void output.write(lines) },
  })
  if (config.environment === 'production') await requireSenders(service)
  const adminAddress = config.admin && (await service.adminHttp?.listen(config.admin))
  if (adminAddress) logger.info({ address: adminAddress }, 'admin API is listening')
  const { host, port, metricsPort } = config
  const address = await service.http.listen({ host, port })
  if (metricsPort !== null) {
    logger.info({ address: await service.openMetrics.listen({ host, port: metricsPort }) }, 'metrics are open')
  }
  closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
    if (err) logger.error({ err }, 'unexpected error: closing')
    time.stop()
    await service.close()
    lock?.[Symbol.dispose]()
  })
  if (config.environment !== 'development') return
  await welcome(service.services, secretsPathOf(config.database), {
    baseUrl: address,
    adminUrl: adminAddress ?? address,
    isAdminKeyGenerated: config.adminKey === null,
  })
}

/** Codes that never arrive are worse than a service that does not start. */
async function requireSenders(service: Service): Promise<void> {
  const { logger } = service.services
  const { missing, warnings } = await findSenderProblems(service.services)
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
