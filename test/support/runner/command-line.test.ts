import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { benches } from '../../../bench/benches.ts'
import { campaigns } from '../../campaign/campaigns.ts'
import { testSets } from './test-sets.ts'

const root = join(import.meta.dirname, '../../..')

function run(script: string, ...words: string[]): { status: number | null; output: string; errors: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, script), ...words], { encoding: 'utf8' })
  return { status, output: stdout, errors: stderr }
}

/** The scripts of package.json with arguments, and the names that their help explains. */
const scripts: Record<string, { file: string; names: readonly string[] }> = {
  'npm run bench': { file: 'bench/bench.ts', names: Object.keys(benches) },
  'npm run campaign': { file: 'test/campaign/campaign.ts', names: Object.keys(campaigns) },
  'npm test': { file: 'test/run.ts', names: testSets.map(({ name }) => name) },
  'npm run test:postgres': { file: 'test/run-on-postgres.ts', names: [] },
}

for (const [script, { file, names }] of Object.entries(scripts)) {
  test(`${script} -- --help prints its usage`, () => {
    const { status, output, errors } = run(file, '--help')
    assert.deepEqual([status, errors], [0, ''])
    assert.ok(output.startsWith(`Usage: ${script} -- [options] `), output)
    assert.deepEqual(
      names.filter((name) => !output.includes(`\n  ${name} `)),
      [],
    )
  })
}

const mistakes: [script: string, words: string[], message: RegExp][] = [
  ['npm run bench', ['--nonsense'], /^error: unknown option '--nonsense'\n/],
  [
    'npm run bench',
    ['nonsense'],
    /^error: .* 'nonsense' is invalid for argument 'bench'. .* slow-disk, conditions, .*\n/,
  ],
  ['npm run bench', ['--seconds', '0'], /^error: option '--seconds <number>' .* It takes a number above 0.\n/],
  ['npm run bench', ['against'], /^error: against takes the folder of another checkout\n/],
  ['npm run bench', ['against', 'docs'], /^error: docs is not a checkout of Tenantry: it has no server\/app.ts\n/],
  ['npm run bench', ['against', '.', '--set', 'PORT'], /^error: option '--set <NAME=value>' .* It takes NAME=value.\n/],
  ['npm run bench', ['users', 'folder'], /^error: users takes no folder\n/],
  ['npm run bench', ['search', '--quiet-check'], /^error: search does not take --quiet-check\n/],
  ['npm run bench', ['--postgres'], /^error: the bench without a name does not take --postgres\n/],
  ['npm run campaign', ['crash', '--nonsense'], /^error: unknown option '--nonsense'\n/],
  ['npm run campaign', ['nonsense'], /^error: .* 'nonsense' is invalid for argument 'campaign'. .* fuzz, races, .*\n/],
  ['npm run campaign', ['crash', '--cycles', 'x'], /^error: option '--cycles <number>' .* It takes a whole number.\n/],
  ['npm run campaign', ['races', '--only', 'D00'], /^error: unknown race "D00" in --only; known races: D01, .*\n/],
  ['npm run campaign', ['enumeration', '--only', 'x'], /^error: unknown mail server "x" in --only; .* fast, .*\n/],
  ['npm run campaign', [], /^error: missing required argument 'campaign'\n/],
  ['npm test', ['--nonsense'], /^error: unknown option '--nonsense'\n/],
  ['npm test', ['--set', 'nonsense'], /^error: option '--set <name>' .* Allowed choices are console, browser, .*\n/],
  ['npm test', ['--set', 'browser', 'test/otp'], /^error: name a set or paths, not both\n/],
  ['npm test', ['test/nonsense'], /^error: no tests in test\/nonsense\n/],
  ['npm test', ['nonsense.test.ts'], /^error: no tests in nonsense.test.ts\n/],
  ['npm run test:postgres', ['--nonsense'], /^error: unknown option '--nonsense'\n/],
  ['npm run test:postgres', ['test/nonsense'], /^error: no tests in test\/nonsense\n/],
]

for (const [script, words, message] of mistakes) {
  test(`${[script, '--', ...words].join(' ')} is a mistake with an explanation`, () => {
    const { status, output, errors } = run(scripts[script]!.file, ...words)
    assert.deepEqual([status, output], [2, ''])
    assert.match(errors, message)
    assert.equal(errors.split('\n').slice(1).join('\n').trim(), '(run with --help for usage)')
  })
}
