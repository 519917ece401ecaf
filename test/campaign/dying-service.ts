import { pino } from 'pino'
import { systemClock } from '../../server/core/clock.ts'
import { createClientAddress } from '../../server/limits/client-address.ts'
import { parseLimits } from '../../server/limits/limit-settings.ts'
import { createService } from '../../server/startup/service.ts'
import type { SqliteHooks } from '../../server/storage/sqlite/connection.ts'
import { openSqliteStorage } from '../../server/storage/sqlite/sqlite-storage.ts'
import { cheapHasher } from '../support/service.ts'

/**
 * The service in a process of its own that kills itself (SIGKILL) where it is told to: between two statements of a
 * request, between the last one and its COMMIT, or between the COMMIT and the answer (threat G02). The background's own
 * statements do not count.
 */
export interface Fate {
  /** Before this statement; or `commit`: before the COMMIT; or `answer`: after it. */
  readonly before: string
}

const [databasePath = '', adminKey = '', masterKeys = ''] = process.argv.slice(2)
let fate: Fate | null = null
/** The statements since the transaction began. */
let statements: string[] = []

const die = () => process.kill(process.pid, 'SIGKILL')
const ofTheBackground = (name: string) => /^(outbox|directory|purge|erase)\./.test(name)

const hooks: SqliteHooks = {
  onStatement(name) {
    if (name === 'sqlite.begin') statements = []
    else if (!name.startsWith('sqlite.')) statements.push(name)
    if (fate?.before === name) die()
  },
  beforeCommit() {
    const ofARequest = statements.length > 0 && !statements.some(ofTheBackground)
    if (!ofARequest) return
    process.send?.({ statements })
    if (fate?.before === 'commit') die()
    // Runs when COMMIT has returned and before anything that waits for it.
    if (fate?.before === 'answer') queueMicrotask(die)
  },
}

process.on('message', (told: Fate) => {
  fate = told
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
process.send?.({ baseUrl: await service.http.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' }) })
