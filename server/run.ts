import closeWithGrace from 'close-with-grace'
import { pino } from 'pino'
import { welcome } from '../demo/welcome.ts'
import { systemClock } from './clock.ts'
import { ConfigError, readConfig } from './config.ts'
import { requireSecrets } from './kept-secrets.ts'
import { createService } from './service.ts'
import { openSqliteStorage } from './storage/sqlite/sqlite-storage.ts'

/** Environment in, process out. */
async function main(): Promise<void> {
  const config = readConfig(process.env)
  const logger = pino({ level: config.logLevel })
  const clock = systemClock
  const secrets = requireSecrets(config, clock.now())
  const storage = await openSqliteStorage({ path: config.databasePath })
  const service = await createService({ ...config, ...secrets, clock, logger, storage })
  const address = await service.http.listen({ host: config.host, port: config.port })
  closeWithGrace({ delay: 10_000, logger: false }, async ({ err }) => {
    if (err) logger.error({ err }, 'unexpected error: closing')
    await service.close()
  })
  if (config.environment === 'development') await welcome(service.services, config.databasePath, address)
}

try {
  await main()
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [(error as Error).message]
  console.error(`Tenantry cannot start:\n${lines.map((line) => `  ${line}`).join('\n')}`)
  process.exit(1)
}
