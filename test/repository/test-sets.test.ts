import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onSqlite } from '../support/runner/on-sqlite.ts'
import { allTests, describeLeftOut, setOf, testSets } from '../support/runner/test-sets.ts'
import { pathsThatRun, readSourceFiles } from '../support/source-files.ts'

const files = readSourceFiles()
const sources = files.map(({ path }) => path)
const tests = allTests()
const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

/** Modules whose use takes a test seconds. */
const slowModules = [
  'browser/browser',
  'browser/example-app',
  'documentation/page-server',
  'packed-client',
  'small-bench',
].map((name) => `test/support/${name}.ts`)

test('every test file is run by "npm test" or belongs to one set', () => {
  const known = sources.filter((path) => path.endsWith('.test.ts'))
  assert.deepEqual(tests.toSorted(), known.toSorted())
  for (const file of known) {
    const sets = testSets.filter((set) => setOf(file) === set || set.paths.some((path) => file.startsWith(path)))
    assert.ok(sets.length <= 1, `${file}: ${sets.map(({ name }) => name).join(', ')}`)
  }
})

test('every path of a set, or of the tests on SQLite alone, is a test file, or a folder with some', () => {
  for (const paths of [testSets.flatMap((set) => set.paths), onSqlite]) {
    assert.equal(new Set(paths).size, paths.length)
    const stale = paths.filter((path) => !tests.some((file) => file === path || file.startsWith(path)))
    assert.deepEqual(stale, [])
  }
  const redundant = onSqlite.filter((path) => setOf(path)?.isOnSqlite)
  assert.deepEqual(redundant, [])
})

test('no test of "npm test" drives a browser, packs a package, or runs a page, a bench or a campaign', () => {
  for (const path of slowModules) assert.ok(sources.includes(path), path)
  const runsSlowModule = pathsThatRun(files, slowModules)
  const slow = tests.filter((file) => setOf(file) === undefined && runsSlowModule.has(file))
  assert.deepEqual(slow, [])
})

test('"npm run check" runs every set, and CI its commands and the tests on PostgreSQL', () => {
  const { scripts } = JSON.parse(read('package.json'))
  const commands: string[] = scripts.check.split(' && ')
  assert.ok(commands.includes('npm test -- --full'))
  const inCi = commands.map((command) => command.replace(/ --full$/, ' --all'))
  for (const command of [...inCi, 'npm run test:postgres']) {
    assert.match(read('.ci/run'), new RegExp(`^${RegExp.escape(command)}( &)?$`, 'm'))
  }
})

test('a run names each set that it leaves out, and CONTRIBUTING.md too', () => {
  const printed = describeLeftOut()
  for (const { name, why } of testSets) {
    assert.match(printed, new RegExp(`^ {2}${name} +[1-9]\\d* files that ${RegExp.escape(why)}$`, 'm'))
    assert.ok(read('CONTRIBUTING.md').includes(`\`${name}\``), name)
  }
})
