import { existsSync, globSync } from 'node:fs'
import type { Command } from 'commander'
import { onSqlite } from './on-sqlite.ts'

/** Test files that `npm test` leaves to `npm run check`. */
interface TestSet {
  /** As in `npm test -- --set <name>`. */
  readonly name: string
  /** What its tests do that takes long, and that changes of the code seldom break alone. */
  readonly why: string
  /** Files, and folders with a slash at the end. */
  readonly paths: readonly string[]
  /** Set if its tests reach the database through the API alone, whose tests run on every engine: SQLite is enough. */
  readonly isOnSqlite?: true
}

/**
 * `npm test` runs what changes of the code usually break: tests in the process of the run, against real databases. It leaves
 * these sets out, which are two thirds of a run; `npm run check` runs all. A file belongs to one set at most.
 */
export const testSets: readonly TestSet[] = [
  {
    name: 'console',
    why: 'drive the pages of the console in Chromium',
    paths: ['test/console/'],
    isOnSqlite: true,
  },
  { name: 'browser', why: 'drive other pages in Chromium', paths: ['test/browser/'], isOnSqlite: true },
  {
    name: 'programs',
    why: 'start servers and command line tools as processes',
    paths: [
      'cli/closed-output.test.ts',
      'cli/completion/completion.test.ts',
      'cli/connection.test.ts',
      'cli/database/backup.test.ts',
      'cli/database/interrupted-backup.test.ts',
      'cli/database/interrupted-copy.test.ts',
      'cli/database/restore.test.ts',
      'cli/delivery/inbox.test.ts',
      'cli/users/interrupted-import.test.ts',
      'test/faults/blocked-sync.test.ts',
      'test/faults/full-log.test.ts',
      'test/faults/import-restart.test.ts',
      'test/metrics/metrics-port.test.ts',
      'test/secrets/codes-in-output.test.ts',
      'test/startup/env-file.test.ts',
      'test/startup/file-permissions.test.ts',
      'test/startup/first-hour.test.ts',
      'test/startup/first-starts.test.ts',
      'test/startup/loaded-modules.test.ts',
      'test/startup/production-start.test.ts',
      'test/startup/server-lock.test.ts',
      'test/startup/start.test.ts',
      'test/startup/stopping.test.ts',
      'test/startup/thread-pool.test.ts',
      'test/statistics/two-processes.test.ts',
      'test/support/runner/command-line.test.ts',
      'test/support/runner/test-processes.test.ts',
    ],
  },
  {
    name: 'pages',
    why: 'run the commands of the documentation on servers',
    paths: [
      'test/documentation/audit-log.test.ts',
      'test/documentation/data-guides.test.ts',
      'test/documentation/deploying-proxies.test.ts',
      'test/documentation/first-e-mail-and-sms.test.ts',
      'test/documentation/guides.test.ts',
      'test/documentation/moving-to-postgresql.test.ts',
      'test/documentation/operator-guides.test.ts',
      'test/documentation/protecting-accounts.test.ts',
      'test/documentation/react-quickstart.test.ts',
      'test/documentation/readme.test.ts',
      'test/documentation/rotating-master-keys.test.ts',
      'test/documentation/sign-in-with-a-password.test.ts',
      'test/documentation/sign-in-with-providers.test.ts',
      'test/documentation/verify-access-tokens.test.ts',
      'test/documentation/what-is-recorded.test.ts',
    ],
    isOnSqlite: true,
  },
  {
    name: 'packages',
    why: 'pack, install and build packages, examples and images, or compile programs',
    paths: [
      'test/client/',
      'test/deploy/image.test.ts',
      'test/deploy/manifest-types.test.ts',
      'test/repository/new-column.test.ts',
      'test/sessions/client-guide.test.ts',
      'test/sessions/client-in-node.test.ts',
    ],
    isOnSqlite: true,
  },
  {
    name: 'crashes',
    why: 'kill processes, or fill, stop and break disks and networks, again and again',
    paths: [
      'server/storage/postgres/driver/response-deadline.test.ts',
      'server/storage/postgres/driver/unavailable-hosts.test.ts',
      'server/storage/sqlite/migrate.test.ts',
      'test/delivery/sender-leases.test.ts',
      'test/faults/broken-files.test.ts',
      'test/faults/build-crashes.test.ts',
      'test/faults/crash-points.test.ts',
      'test/faults/crash.test.ts',
      'test/faults/disk-campaign.test.ts',
      'test/faults/event-crashes.test.ts',
      'test/faults/failing-disk.test.ts',
      'test/faults/power-loss.test.ts',
      'test/limits/valkey-faults.test.ts',
      'test/postgres/database-faults.test.ts',
      'test/statistics/killed-process.test.ts',
    ],
  },
  {
    name: 'clusters',
    why: 'start PostgreSQL servers, copy databases, or run the suite of storages on further engines and roles',
    paths: [
      'cli/database/copy.test.ts',
      'cli/database/copy-target.test.ts',
      'server/startup/open-database.test.ts',
      'server/storage/postgres/distributed-engines.test.ts',
      'server/storage/postgres/non-transactional-migrations.test.ts',
      'server/storage/postgres/opening.test.ts',
      'server/storage/postgres/row-level-security.test.ts',
      'server/storage/postgres/serializable.test.ts',
      'test/postgres/concurrent-migrations.test.ts',
      'test/postgres/high-availability.test.ts',
      'test/postgres/password-file.test.ts',
      'test/postgres/rolling-restarts.test.ts',
      'test/postgres/tenant-role.test.ts',
      'test/postgres/tls-client-certificate.test.ts',
      'test/postgres/tls.test.ts',
    ],
  },
  {
    name: 'plans',
    why: 'fill tables of PostgreSQL and read the plans of queries',
    paths: [
      'server/storage/postgres/event-log-plans.test.ts',
      'server/storage/postgres/first-rows-plans.test.ts',
      'server/storage/postgres/message-plans.test.ts',
      'server/storage/postgres/search-plans.test.ts',
      'server/storage/postgres/user-list-plans.test.ts',
    ],
  },
  {
    name: 'operations',
    why: 'send hostile input, ids of other tenants and keys of every scope to every operation',
    paths: ['test/hostile-input/', 'test/operators/scope-matrix.test.ts', 'test/tenants/tenant-isolation.test.ts'],
  },
  {
    name: 'campaigns',
    why: 'run benches, generated cases by the thousand, or measure times',
    paths: [
      'cli/events/random-export-tampering.test.ts',
      'cli/events/random-exports.test.ts',
      'console/profile-schema/merge/merge-accepted.test.ts',
      'server/events/verify/random-tampering.test.ts',
      'server/events/verify/stored-tampering.test.ts',
      'server/profiles/schema/conditions-as-specified.test.ts',
      'server/storage/postgres/stored-tampering.test.ts',
      'server/storage/sqlite/tenant-predicate.test.ts',
      'test/bench/',
      'test/campaign/',
      'test/enumeration/enumeration-times.test.ts',
      'test/enumeration/enumeration-work.test.ts',
      'test/events/log-in-any-order.test.ts',
      'test/events/sealing-share.test.ts',
      'test/passwords/hash-fairness.test.ts',
      'test/passwords/hash-memory.test.ts',
      'test/storage/engines-agree.test.ts',
    ],
  },
]

/** Whether the tests of a file run on SQLite alone, although they start a service. */
export const isOnSqlite = (file: string): boolean => setOf(file)?.isOnSqlite === true || isIn(onSqlite, file)

/** The set that a file belongs to; undefined when `npm test` runs it. */
export const setOf = (file: string): TestSet | undefined => testSets.find(({ paths }) => isIn(paths, file))

function isIn(paths: readonly string[], file: string): boolean {
  return paths.some((path) => (path.endsWith('/') ? file.startsWith(path) : file === path))
}

/** Every test file of the repository, by name. */
export const allTests = (): string[] =>
  globSync('{contract,server,packages/*/*,cli,demo,console,test}/**/*.test.ts').toSorted()

/** The test files that the arguments of a command name, by themselves or by their folders; ends it if one names none. */
export const testsIn = (command: Command): string[] =>
  command.args.flatMap((path) => {
    const isFile = /\.test\.\w+$/.test(path)
    const files = isFile ? [path].filter(existsSync) : globSync(`${path}/**/*.test.ts`).toSorted()
    return files.length > 0 ? files : command.error(`error: no tests in ${path}`)
  })

/** What a run leaves out, and how to run it. */
export function describeLeftOut(): string {
  const files = Map.groupBy(allTests(), setOf)
  const lines = testSets.map((set) => {
    const count = `${files.get(set)?.length ?? 0}`.padStart(3)
    return `  ${set.name.padEnd(10)} ${count} files that ${set.why}`
  })
  return ['Left out; "npm run check" runs all, "npm test -- --set <name>" runs one:', ...lines].join('\n')
}
