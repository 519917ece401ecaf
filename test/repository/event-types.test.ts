import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { type EventKind, eventKinds } from '../../contract/events.ts'

const names = (list: readonly string[] | string | undefined): string => {
  if (list === undefined) return ''
  return typeof list === 'string' ? list : list.map((name) => `\`${name}\``).join(', ')
}

const rowOf = ([type, { summary, log, detail, details, changes }]: [string, EventKind]): string =>
  `| \`${type}\` | ${summary} | ${log} | \`${detail}\` | ${names(details)} | ${names(changes)} |`

test('the table of event types in the API reference equals the catalogue', () => {
  const page = readFileSync(new URL('../../docs/reference/api.md', import.meta.url), 'utf8')
  const section = page.slice(page.indexOf('\n### Event types\n')).split(/\n##+ (?!Event types)/)[0]!
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  assert.deepEqual(rows, Object.entries<EventKind>(eventKinds).map(rowOf))
})
