import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { commandsOf } from './completion/completed-commands.ts'
import { createProgram } from './program.ts'
import type { Terminal } from './terminal/terminal.ts'

const root = join(import.meta.dirname, '..')
const commands = new Map(
  commandsOf(createProgram({ write() {}, warn() {} } as unknown as Terminal)).map((one) => [one.route, one]),
)

/** The arguments of each `tenantry` command in the shell examples of a page and in its text. */
function commandsIn(page: string): string[][] {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text]) => text!.replaceAll('\\\n', ' '))
  const inText = [...page.matchAll(/`(tenantry [^`…\n]+)`/g)].map(([, text]) => text!)
  return [...blocks, ...inText]
    .flatMap((text) => [
      ...text.matchAll(
        /(?:(?:^|\$\(|<\(|\| |&& )tenantry|npm run -s tenantry --|cli\/tenantry\.ts) ((?:(?:[\w./:=<>$@-]|"[^"]*"|'[^']*')+ ?)+)/gm,
      ),
    ])
    .filter(([, words]) => !words!.includes('$@'))
    .map(([, words]) => words!.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [])
}

/** What the program would not understand. A text may name a group of commands, such as `tenantry key`. */
function problemsOf(words: readonly string[]): string[] {
  let route = ''
  const flags: string[] = []
  for (const word of words) {
    const next = `${route} ${word}`.trim()
    if (word.startsWith('--') && word !== '--') flags.push(word.replace(/=.*/, ''))
    else if (commands.has(next)) route = next
  }
  const command = commands.get(route)!
  const unknown = flags.filter((flag) => !command.options.some((option) => option.flag === flag))
  return [
    ...(command.subcommands.length > 0 && ![route, '--help'].includes(words.join(' '))
      ? [`no command: ${words.join(' ')}`]
      : []),
    ...unknown.map((flag) => `unknown option ${flag}: ${words.join(' ')}`),
  ]
}

const pages = globSync('{*,docs/**/*,packages/*/*,examples/*/*}.md', { cwd: root })

test('every command in the examples of the documentation exists, with its options', () => {
  const found = pages.flatMap((path) =>
    commandsIn(readFileSync(join(root, path), 'utf8')).map((words) => ({ path, words })),
  )
  assert.ok(found.length > 60, `${found.length}`)
  assert.deepEqual(
    found.flatMap(({ path, words }) => problemsOf(words).map((problem) => `${path}: ${problem}`)),
    [],
  )
})

test('the check finds unknown commands and options', () => {
  const page = [
    '```sh',
    'tenantry user lst',
    'tenantry user list --tenent x',
    '```',
    'Or `tenantry key replace`, as `tenantry key …`.',
  ].join('\n')
  const problems = commandsIn(page).flatMap(problemsOf)
  assert.deepEqual(problems, [
    'no command: user lst',
    'unknown option --tenent: user list --tenent x',
    'no command: key replace',
  ])
})
