import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { ScopeName } from '../../contract/scope-names.ts'
import { createProgram } from '../program.ts'
import { type } from '../terminal/terminal.testkit.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { commandsOf } from './completed-commands.ts'

const shells = ['bash', 'zsh', 'fish'] as const
type Shell = (typeof shells)[number]

const run = (command: string, ...args: string[]) =>
  promisify(execFile)(command, args, { cwd: folder, env: { PATH: process.env['PATH'], HOME: folder } })
const installed = new Map<Shell, boolean>()
for (const shell of shells) {
  const found = await promisify(execFile)(shell, ['-c', 'true']).then(
    () => true,
    () => false,
  )
  installed.set(shell, found)
}
const skipWithout = (shell: Shell) => ({ skip: !installed.get(shell) && `${shell} is not installed` })

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-completion-'))
  await writeFile(join(folder, 'schema.json'), '{}')
  for (const shell of shells) {
    const { exitCode, output, errors } = await type(['completion', shell], {})
    assert.deepEqual([exitCode, errors], [0, ''])
    await writeFile(join(folder, `tenantry.${shell}`), output)
  }
})
after(() => rm(folder, { recursive: true }))

const commands = commandsOf(createProgram({ write() {}, warn() {} } as unknown as Terminal))

/** What a shell offers after the typed words, the last of which is incomplete. */
const offers: Record<Shell, (typed: readonly string[]) => Promise<string[]>> = {
  async bash(typed) {
    // The variables that bash sets before it calls the function that `complete -F` names.
    const script = `source tenantry.bash
      [[ $(complete -p tenantry) == 'complete -F _tenantry tenantry' ]] || exit 9
      COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tenantry; printf '%s\\n' "\${COMPREPLY[@]}"`
    return linesOf((await run('bash', '--norc', '-c', script, 'bash', ...typed)).stdout)
  },
  async zsh(typed) {
    // zsh removes what does not match. Its completion system runs in interactive shells only.
    const script = `compdef() { [[ "$*" == '_tenantry tenantry' ]] || exit 9 }
      compadd() { shift; print -l -- "$@" }; _files() { print -l -- * }
      source ./tenantry.zsh; words=("$@"); CURRENT=$#; _tenantry`
    const all = linesOf((await run('zsh', '-f', '-c', script, 'zsh', ...typed)).stdout)
    return all.filter((word) => word.startsWith(typed.at(-1) ?? ''))
  },
  async fish(typed) {
    const script = `source tenantry.fish; complete -C "${typed.join(' ')}"`
    return linesOf((await run('fish', '--no-config', '-c', script)).stdout).map((line) => line.split('\t')[0] ?? '')
  },
}
const linesOf = (text: string): string[] => text.split('\n').filter((line) => line !== '')

const cases: readonly (readonly [typed: string, expected: readonly string[]])[] = [
  ['tenantry maste', ['master-key']],
  ['tenantry user crea', ['create']],
  ['tenantry user profile se', ['set']],
  ['tenantry --url tenant --json key crea', ['create']],
  ['tenantry key create --kind sec', ['secret']],
  ['tenantry key create --expir', ['--expires-at']],
  ['tenantry tenant restrict x sign_', ['sign_in', 'sign_up']],
  ['tenantry completion b', ['bash']],
  ['tenantry schema publish sche', ['schema.json']],
  ['tenantry user export --output sche', ['schema.json']],
  ['tenantry user export --tenant sche', []],
  ['tenantry user list --out', []],
]

for (const shell of shells) {
  test(`${shell} completes commands, options, choices and files`, skipWithout(shell), async () => {
    for (const [typed, expected] of cases) {
      assert.deepEqual((await offers[shell](typed.split(' '))).toSorted(), expected, typed)
    }
  })

  test(`${shell} offers every command and option of the program`, skipWithout(shell), async () => {
    const some = commands.filter((_, index) => shell === 'bash' || index % 5 === 0)
    for (const { route, subcommands, options } of some) {
      const typed = ['tenantry', ...route.split(' ').filter(Boolean)]
      const offered = await offers[shell]([...typed, ''])
      const flags = await offers[shell]([...typed, '--'])
      assert.deepEqual(
        subcommands.filter(({ name }) => !offered.includes(name)),
        [],
        route,
      )
      assert.deepEqual(
        options.filter(({ flag }) => !flags.includes(flag)),
        [],
        route,
      )
    }
  })
}

test(
  'bash completes scopes, which have colons or are a wildcard, and files with spaces',
  skipWithout('bash'),
  async () => {
    await writeFile(join(folder, 'my users.ndjson'), '')
    const scope = ['tenantry', 'operator', 'create', '--scope']
    // bash splits words at colons, and replaces what follows the last one.
    assert.deepEqual(await offers.bash([...scope, 'configuration', ':', 'w']), ['write'])
    assert.deepEqual(await offers.bash([...scope, 'configuration', ':']), ['read', 'write'])
    assert.deepEqual((await offers.bash([...scope, ''])).toSorted(), ScopeName.options.toSorted())
    assert.deepEqual(await offers.bash(['tenantry', 'user', 'import', 'my']), ['my users.ndjson'])
    assert.deepEqual(await offers.bash(['tenantry', 'user', 'export', '--output', 'my']), ['my users.ndjson'])
  },
)

test('knows all commands', () => {
  assert.ok(commands.length > 45)
  for (const route of ['', 'user profile set', 'signing-keys rotate', 'inbox'])
    assert.ok(commands.some((one) => one.route === route))
})

test('rejects an unknown shell', async () => {
  assert.match((await type(['completion', 'csh'], {})).errors, /Allowed choices are bash, zsh, fish/)
})
