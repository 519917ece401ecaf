import { availableParallelism } from 'node:os'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { pino } from 'pino'
import { systemClock } from '../server/core/clock.ts'
import { ulid } from '../server/core/ids.ts'
import { createCheckpointKeys } from '../server/events/checkpoint-keys.ts'
import type { QueuedEvent } from '../server/events/event.ts'
import type { Sealing } from '../server/events/event-sealing.ts'
import { noteRecorded } from '../server/events/recorded.ts'
import { EventRelay } from '../server/events/relay.ts'
import { createKeyring } from '../server/secrets/keyring.ts'
import { generateMasterKeys } from '../server/secrets/master-keys.ts'
import type { Storage } from '../server/storage/storage.ts'
import { openStorageAt } from '../test/support/databases/open-database.ts'
import { fillPostgres, fillSqlite } from './filled-database.ts'
import { generatedId, idOf, numbers, padded, type Rows } from './generated-rows.ts'
import { quantile, row } from './table.ts'

const tenants = 20
const users = 10_000
const perSecond = 1_000
const tenantAt = (number: number): string => idOf('TENANT', number % tenants)

/**
 * `npm run bench -- event-relay [--events 1000000]`: seals that many queued events of twenty tenants while no request waits,
 * then records 1,000 events a second and measures how long the oldest of each transaction stayed queued: on a quiet machine,
 * and while half of its cores are busy with other work. On PostgreSQL the processor time is that of this process alone.
 */
export async function benchEventRelay({ events, seconds }: { events: number; seconds: number }): Promise<void> {
  console.log(row('', 'events/s', 'CPU in µs', 'lag p50', 'p99 in ms', 'half load p50', 'p99 in ms'))
  for (const [engine, fill] of Object.entries({ SQLite: fillSqlite, PostgreSQL: fillPostgres })) {
    const { url, dispose } = await fill(queuedRows(events))
    const storage = await openStorageAt(url)
    const lags: number[] = []
    const relay = relayOf(storage, ({ oldest }) => oldest !== null && lags.push(Date.now() - oldest))
    try {
      const [start, cpu] = [performance.now(), process.cpuUsage()]
      await relay.drain()
      const elapsed = performance.now() - start
      const { user, system } = process.cpuUsage(cpu)
      const lagsOfSteadyWork = async () => {
        lags.length = 0
        await recordSteadily(storage, relay, Math.max(seconds, 10))
        return [0.5, 0.99].map((share) => quantile(lags, share))
      }
      const quiet = await lagsOfSteadyWork()
      const busy = await besideHalfLoad(lagsOfSteadyWork)
      const figures = [(events / elapsed) * 1_000, (user + system) / events, ...quiet, ...busy]
      console.log(row(engine, ...figures.map((figure) => figure.toFixed(0))))
      if (url.startsWith('sqlite:')) reportSize(url.slice('sqlite:'.length))
    } finally {
      await relay.stop()
      await storage.close()
      await dispose()
    }
  }
}

function relayOf(storage: Storage, onSealed: (sealing: Sealing) => void): EventRelay {
  const keyring = createKeyring(generateMasterKeys(Date.now()))
  const logger = pino({ level: 'error' })
  return new EventRelay({
    sealing: storage.system.eventSealing,
    keys: createCheckpointKeys({ store: storage.system.checkpointKeys, keyring, logger }),
    clock: systemClock,
    logger,
    waiting: () => storage.usage.waiting,
    onSealed,
  })
}

/** SQL that queues events of a user each, as a sign-in records them. */
const queuedRows =
  (events: number): Rows =>
  (engine) => {
    const id = (letters: string, number = 'i') => generatedId(engine, letters, number)
    // Consecutive events are of users that are far from each other.
    const user = id('USER', `((i * 7919) % ${users})`)
    return [
      `INSERT INTO event_queue (tenant_id, id, at, type, actor_kind, actor_id, subject_kind, subject_id, outcome, request_id,
         public, personal, commitment)
       SELECT ${id('TENANT', `i % ${tenants}`)}, ${id('EVEN')}, ${Date.now()}, 'sign_in.succeeded',
         'user', ${user}, 'user', ${user}, 'done', ${id('REQS')},
         '{"details":{"method":"password","session":"' || ${id('SESS')} || '"}}',
         '{"network":"203.0.113.0/24","salt":"' || ${padded(engine, 'i', 22)} || '","userAgent":"Chrome 142 on macOS"}',
         ${engine === 'sqlite' ? "''" : padded(engine, 'i', 43)}
       FROM ${numbers(engine, 1, events)}`,
    ]
  }

const personal = '{"network":"203.0.113.0/24","salt":"AAAAAAAAAAAAAAAAAAAAAA","userAgent":"Chrome 142 on macOS"}'

const eventAt = (number: number, at: number): QueuedEvent => ({
  ...{ id: ulid(at), at, type: 'sign_in.succeeded', actorKind: 'user', actorId: idOf('USER', number % users) },
  ...{ subjectKind: 'user', subjectId: idOf('USER', number % users), outcome: 'done', requestId: ulid(at) },
  ...{ public: '{"details":{"method":"password"}}', personal, commitment: '' },
})

async function recordSteadily(storage: Storage, relay: EventRelay, seconds: number): Promise<void> {
  const first = Date.now()
  relay.start()
  const adding: Promise<void>[] = []
  for (let number = 0; number < perSecond * seconds; ) {
    const due = Math.min(((Date.now() - first) * perSecond) / 1_000, perSecond * seconds)
    for (; number < due; number++) {
      adding.push(storage.forTenant(tenantAt(number)).events.add(eventAt(number, Date.now())))
      noteRecorded()
    }
    await pause(5)
  }
  await Promise.all(adding)
  await relay.drain()
}

/** Does this work while half of the cores, rounded up, run threads that never wait. */
async function besideHalfLoad<T>(work: () => Promise<T>): Promise<T> {
  const busy = Array.from(
    { length: Math.ceil(availableParallelism() / 2) },
    () => new Worker('for (;;);', { eval: true }),
  )
  try {
    return await work()
  } finally {
    await Promise.all(busy.map((thread) => thread.terminate()))
  }
}

/** The bytes of an event by table and index. */
function reportSize(path: string): void {
  using database = new DatabaseSync(path, { readOnly: true })
  const events = database.prepare('SELECT COUNT(*) AS count FROM events').get()!['count'] as number
  const sizes = database
    .prepare(`SELECT s.name, SUM(s.pgsize) AS bytes FROM dbstat s JOIN sqlite_schema t ON t.name = s.name
              WHERE t.tbl_name IN ('events', 'event_batches') GROUP BY s.name`)
    .all()
    .map(({ name, bytes }) => [String(name), Number(bytes) / events] as const)
  for (const [name, bytes] of sizes) console.log(row(name, bytes.toFixed(0)), ' bytes an event')
  console.log(row('in all', sizes.reduce((sum, [, bytes]) => sum + bytes, 0).toFixed(0)), ' bytes an event')
}
