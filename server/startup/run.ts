import type { AddressInfo } from 'node:net'
import closeWithGrace from 'close-with-grace'
import { type Logger, pino } from 'pino'
import type { DeploymentWarning } from '../../contract/admin/deployment.ts'
import { findSenderProblems } from '../delivery/require-senders.ts'
import { createRequestLog } from '../http/request-log.ts'
import type { Config } from '../settings/config.ts'
import { applyEnvFile, type EnvFile } from '../settings/env-file.ts'
import { requireSecrets, secretsPathOf } from '../settings/kept-secrets.ts'
import { refuseArguments } from '../settings/local-server.ts'
import { readConfig } from '../settings/read-config.ts'
import { ConfigError } from '../settings/settings-reader.ts'
import { DatabaseFileError } from '../storage/sqlite/database-file-error.ts'
import { DatabaseUnavailable } from '../storage/storage-error.ts'
import { followDatabaseTime, ownClocks } from './database-time.ts'
import type { DevelopmentTerminal } from './development-terminal.ts'
import { createFatalExit } from './fatal-exit.ts'
import { limitConnections } from './limit-connections.ts'
import { listen } from './listen.ts'
import { createLogOutput } from './log-output.ts'
import { newDatabaseWarning } from './new-database.ts'
import { openDatabase } from './open-database.ts'
import { openLimiter } from './open-limiter.ts'
import { findRootKeyProblem, recommendRootKeyOff } from './root-key.ts'
import { lockForServer } from './server-lock.ts'
import { createService, type Service } from './service.ts'
import { onStopSignals, stopSignals } from './stop-signals.ts'
import { sizeThreadPool } from './thread-pool.ts'

/**
 * Shutdown timeout in milliseconds, after the drain; then the process exits with 1. It covers 8 s for requests and 5 s for
 * delivery attempts.
 */
const shutdownTimeoutMs = 15_000

async function run(): Promise<void> {
  refuseArguments(process.argv.slice(2), 'PORT=4010 npm start')
  const envFile = applyEnvFile(process.env, '.')
  sizeThreadPool(process.env)
  const config = readConfig(process.env)
  const errors = createLogOutput(2, () => {})
  const output = createLogOutput(1, (sentence) => errors.write(`${sentence}\n`))
  // Not console.log, which ends the process once the reader of its output has gone.
  const print = (line: string) => output.write(`${line}\n`)
  const logger = pino({ level: config.logLevel }, output)
  const requestLog = createRequestLog({ mode: config.requestLog, write: output.write })
  // Also after a failed fsync, which ends the process without closing the service.
  process.on('exit', () => requestLog?.flush())
  const startWarnings: DeploymentWarning[] = []
  const warn: Warn = (code, message) => {
    logger.warn(message)
    startWarnings.push({ code, message })
  }
  for (const warning of config.warnings) warn('SETTINGS', warning)
  if (envFile !== null) reportEnvFile(envFile, config, logger, warn)
  if (config.eventsAnchor !== null) {
    const { anchorWarning } = await import('./anchor-target.ts')
    const warning = await anchorWarning(config.eventsAnchor)
    if (warning !== null) warn('SETTINGS', warning)
  }
  const lock = lockForServer(config.database)
  const secrets = requireSecrets(config, Date.now())
  const fatalExit = createFatalExit(logger)
  const storage = await openDatabase(config.database, {
    onFatal: fatalExit.report,
    onCreated() {
      if (config.environment !== 'development') warn('NEW_DATABASE', newDatabaseWarning(config.database))
    },
    onUnreachable: (err) => logger.warn({ err }, 'failed to reach the database; trying again for up to a minute'),
  })
  const time = await followDatabaseTime(storage, logger, ownClocks, lock?.lastSeen)
  lock?.follow(time.clock)
  const limiter = await openLimiter(config, storage, logger)
  const deploymentProviders = config.deploymentProviders.map((create) => create())
  const { clock, wall } = time
  const separateAdmin = config.admin !== null
  const terminal =
    config.environment === 'development' ? await openTerminal(print, () => service.adminHttp ?? service.http) : null
  const service = await createService({
    ...config,
    ...{ ...secrets, clock, wallClock: wall, logger, storage, limiter, deploymentProviders, separateAdmin },
    isOnlyServer: lock !== null,
    ...(terminal && { onRefusedOrigin: terminal.printRefusedOrigin }),
    requestLog,
    startWarnings,
  })
  fatalExit.servers = service.adminHttp === null ? [service.http] : [service.http, service.adminHttp]
  terminal?.printCodes(storage.system.inbox, service.services.keyring)
  const started = start(service, config, warn, print)
  const hurry = new AbortController()
  const drainMs = config.drainSeconds * 1000
  const { close } = closeWithGrace(
    { delay: drainMs + shutdownTimeoutMs, logger: false, skip: [...stopSignals] },
    async ({ err }) => {
      if (err) logger.error({ err }, 'unexpected error; shutting down')
      // The demo tenant is created over HTTP, so the listener stays open until it exists.
      else await Promise.all([service.drain(drainMs, hurry.signal), started.catch(() => {})])
      time.stop()
      await service.close()
      lock?.[Symbol.dispose]()
    },
  )
  onStopSignals(
    () => {
      logger.info({ drainSeconds: config.drainSeconds }, 'stop signal received; draining')
      close()
    },
    () => hurry.abort(),
  )
  await started
}

/** Logs a warning, and keeps it for `GET /admin/deployment`. */
type Warn = (code: DeploymentWarning['code'], message: string) => void

/** Writes a line to standard output. */
type Print = (line: string) => void

/** In development: the terminal, which names the listener of `/admin` in commands. */
async function openTerminal(print: Print, admin: () => Service['http']): Promise<DevelopmentTerminal> {
  const { createDevelopmentTerminal } = await import('./development-terminal.ts')
  const adminUrl = () => `http://127.0.0.1:${(admin().server.address() as AddressInfo).port}`
  return createDevelopmentTerminal(print, adminUrl)
}

/** Reports how many settings, and neither names nor values: a misplaced secret may be either. */
function reportEnvFile({ values, isPublic }: EnvFile, { environment }: Config, logger: Logger, warn: Warn): void {
  logger.info({ settings: Object.keys(values).length }, 'settings read from .env')
  if (isPublic && environment !== 'development') {
    warn('READABLE_ENV_FILE', '.env can be read by every user of this machine; run "chmod 600 .env"')
  }
}

/** Opens the listeners and, in development, prints how to continue. */
async function start(service: Service, config: Config, warn: Warn, print: Print): Promise<void> {
  const { logger } = service.services
  await requireRootKeyOrOperators(service)
  if (config.environment === 'production') await requireSenders(service, warn)
  if (service.adminHttp !== null) limitConnections(service.adminHttp.server, 'ADMIN_PORT', logger)
  const adminAddress = config.admin && service.adminHttp && (await listen(service.adminHttp, config.admin, 'ADMIN'))
  if (adminAddress) logger.info({ address: adminAddress }, 'admin API listening')
  const { host, port, metricsPort } = config
  limitConnections(service.http.server, 'PORT', logger)
  const address = await listen(service.http, { host, port })
  if (metricsPort !== null) {
    limitConnections(service.openMetrics.server, 'METRICS_PORT', logger)
    const metricsAddress = await listen(service.openMetrics, { host, port: metricsPort }, 'METRICS')
    logger.info({ address: metricsAddress }, 'metrics listening without a key')
  }
  if (config.environment !== 'development') return
  const { welcome } = await import('../../demo/welcome.ts')
  await welcome(service.services, secretsPathOf(config.database), {
    baseUrl: address,
    adminUrl: adminAddress ?? address,
    isAdminKeyGenerated: config.adminKey === null,
    print,
  })
}

/** Fails startup if neither a root key nor an operator could administer the deployment. */
async function requireRootKeyOrOperators(service: Service): Promise<void> {
  const problem = await findRootKeyProblem(service.services)
  if (problem === null) return recommendRootKeyOff(service.services)
  await service.close()
  throw new ConfigError([problem])
}

/** Fails startup if a tenant's sign-in codes could not be delivered. */
async function requireSenders(service: Service, warn: Warn): Promise<void> {
  const { missing, warnings } = await findSenderProblems(service.services)
  for (const warning of warnings) warn('SENDERS', warning)
  if (missing.length === 0) return
  await service.close()
  throw new ConfigError(missing)
}

/** The path of the database is a setting, so its problem names the setting like those of all others. */
function problemOf(error: Error): string {
  // The message of an unavailable database is what clients are answered; its cause has the reason.
  if (error instanceof DatabaseUnavailable && error.cause instanceof Error) return error.cause.message
  return error instanceof DatabaseFileError ? `DATABASE_URL: ${error.message}` : error.message
}

try {
  await run()
} catch (error) {
  const lines = error instanceof ConfigError ? error.problems : [problemOf(error as Error)]
  console.error(`Tenantry failed to start:\n${lines.map((line) => `  ${line}`).join('\n')}`)
  process.exit(1)
}
