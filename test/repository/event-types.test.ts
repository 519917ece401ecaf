import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type EventKind, eventKinds } from '../../contract/events.ts'

const kinds = Object.entries<EventKind>(eventKinds)

const names = (list: readonly string[] | string | undefined): string => {
  if (list === undefined) return ''
  return typeof list === 'string' ? list : list.map((name) => `\`${name}\``).join(', ')
}

/** The lines of the tables in a section of a page in `docs/`. */
function tablesIn(page: string, heading: string): string[] {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8')
  const [, section = ''] = text.split(`\n${heading}\n`)
  const lines = section.split(/\n##+ /)[0]!.split('\n')
  return lines.filter((line) => line.startsWith('|'))
}

test('the table of event types in the API reference equals the catalogue', () => {
  const rowOf = ([type, { summary, log, detail, details, changes }]: (typeof kinds)[number]) =>
    `| \`${type}\` | ${summary} | ${log} | \`${detail}\` | ${names(details)} | ${names(changes)} |`
  const rows = tablesIn('reference/api.md', '### Event types').filter((line) => line.startsWith('| `'))
  assert.deepEqual(rows, kinds.map(rowOf))
})

test('the guide to what is recorded lists every type in the table of its log', () => {
  const rowOf = ([type, { summary, detail, details, changes }]: (typeof kinds)[number]) =>
    `| \`${type}\` | ${summary} | ${detail === 'all' ? 'with `all`' : ''} | ${names(details)} | ${names(changes)} |`
  const tableOf = (log: EventKind['log']) => [
    '| Type | What happened | Recorded | Facts beside ids | What changed: names are facts, values personal |',
    '|---|---|---|---|---|',
    ...kinds.filter(([, kind]) => kind.log === log).map(rowOf),
  ]
  assert.deepEqual(tablesIn('guides/what-is-recorded.md', '## Every type'), [
    ...tableOf('tenant'),
    ...tableOf('deployment'),
  ])
})
