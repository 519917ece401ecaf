import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { onSqlite } from '../support/runner/on-sqlite.ts'
import { allTests, describeLeftOut, setOf, testSets } from '../support/runner/test-sets.ts'
import { readSourceFiles } from '../support/source-files.ts'

const files = new Map(readSourceFiles().map((file) => [file.path, file]))
const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

/** Modules whose use takes a test seconds. */
const slowModules = [
  'browser/browser',
  'browser/example-app',
  'documentation/page-server',
  'packed-client',
  'small-bench',
].map((name) => `test/support/${name}.ts`)

/** The slow modules that a file runs, directly or indirectly. */
function slowModulesOf(path: string, seen = new Set<string>()): string[] {
  if (seen.has(path)) return []
  seen.add(path)
  const own = slowModules.includes(path) ? [path] : []
  const imports = (files.get(path)?.imports ?? []).filter(({ kind }) => kind === 'runs')
  return [...own, ...imports.flatMap((one) => slowModulesOf(one.path, seen))]
}

test('every test file is run by "npm test" or belongs to one set', () => {
  const known = [...files.keys()].filter((path) => path.endsWith('.test.ts'))
  assert.deepEqual(allTests().toSorted(), known.toSorted())
  for (const file of known) {
    const sets = testSets.filter((set) => setOf(file) === set || set.paths.some((path) => file.startsWith(path)))
    assert.ok(sets.length <= 1, `${file}: ${sets.map(({ name }) => name).join(', ')}`)
  }
})

test('every path of a set, or of the tests on SQLite alone, is a test file, or a folder with some', () => {
  for (const paths of [testSets.flatMap((set) => set.paths), onSqlite]) {
    assert.equal(new Set(paths).size, paths.length)
    const stale = paths.filter((path) => !allTests().some((file) => file === path || file.startsWith(path)))
    assert.deepEqual(stale, [])
  }
  const redundant = onSqlite.filter((path) => setOf(path)?.isOnSqlite)
  assert.deepEqual(redundant, [])
})

test('no test of "npm test" drives a browser, packs a package, or runs a page, a bench or a campaign', () => {
  for (const path of slowModules) assert.ok(files.has(path), path)
  const slow = allTests().filter((file) => setOf(file) === undefined && slowModulesOf(file).length > 0)
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
