import { pino } from 'pino'
import { systemClock } from '../../../server/core/clock.ts'
import { createClientAddress } from '../../../server/limits/client-address.ts'
import { parseLimits } from '../../../server/limits/limit-settings.ts'
import { createService } from '../../../server/startup/service.ts'
import type { SqliteHooks } from '../../../server/storage/sqlite/connection.ts'
import { openSqliteStorage } from '../../../server/storage/sqlite/sqlite-storage.ts'
import { cheapHasher } from '../../support/service.ts'

/**
 * The service in a separate process that kills itself (SIGKILL) at a given point: between two statements of a
 * request, between the last one and its COMMIT, or between the COMMIT and the answer (threat G02). Statements of background
 * tasks do not count.
 */
export interface CrashPoint {
  /** Before this statement; or `commit`: before the COMMIT; or `answer`: after it. */
  readonly before: string
}

const [databasePath = '', adminKey = '', masterKeys = ''] = process.argv.slice(2)
let crashPoint: CrashPoint | null = null
/** The statements since the transaction began. */
let statements: string[] = []

const die = () => process.kill(process.pid, 'SIGKILL')
const isOfBackgroundTask = (name: string) => /^(outbox|directory|purge|erase)\./.test(name)

const hooks: SqliteHooks = {
  onStatement(name) {
    if (name === 'sqlite.begin') statements = []
    else if (!name.startsWith('sqlite.')) statements.push(name)
    if (crashPoint?.before === name) die()
  },
  beforeCommit() {
    const isRequest = statements.length > 0 && !statements.some(isOfBackgroundTask)
    if (!isRequest) return
    process.send?.({ statements })
    if (crashPoint?.before === 'commit') die()
    // Runs after COMMIT has returned and before any code that awaits it.
    if (crashPoint?.before === 'answer') queueMicrotask(die)
  },
}

process.on('message', (message: CrashPoint) => {
  crashPoint = message
  process.send?.('ready')
})
process.on('disconnect', () => process.exit())

const service = await createService({
  environment: 'development',
  publicUrl: 'http://tenantry.test',
  adminKey,
  masterKeys,
  limits: parseLimits('all=off'),
  clientAddress: createClientAddress(''),
  retentionDays: 7,
  hasher: cheapHasher(),
  clock: systemClock,
  logger: pino({ level: 'silent' }),
  storage: await openSqliteStorage({ path: databasePath, hooks }),
})
// The transactions that seal events would be taken for those of the request.
await service.services.events.stop()
process.send?.({ baseUrl: await service.http.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' }) })
