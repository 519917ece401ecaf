import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventKind, eventKinds } from '../../contract/events.ts'
import { readPage } from '../support/documentation/page-blocks.ts'
import { startPageServer } from '../support/documentation/page-server.ts'

const path = 'docs/guides/what-is-recorded.md'

/** The row of a type as the page shows it. */
function rowOf([type, { summary, detail, changes, details }]: [string, EventKind]): string {
  const facts = (details ?? []).map((name) => `\`${name}\``).join(', ')
  const personal = typeof changes === 'string' ? changes : (changes ?? []).map((name) => `\`${name}\``).join(', ')
  return `| \`${type}\` | ${summary} | ${detail === 'all' ? 'with `all`' : ''} | ${facts} | ${personal} |`
}

const tableOf = (log: EventKind['log']) => [
  '| Type | What happened | Recorded | Facts beside ids | What changed: names are facts, values personal |',
  '|---|---|---|---|---|',
  ...(Object.entries(eventKinds) as [string, EventKind][]).filter(([, kind]) => kind.log === log).map(rowOf),
]

test(`${path} lists every type of event as the contract declares it`, async () => {
  const [, section = ''] = (await readPage(path)).split('## Every type\n')
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  assert.deepEqual(lines, [...tableOf('tenant'), ...tableOf('deployment')])
})

test(`the commands of ${path} print what it shows`, async () => {
  await using server = await startPageServer()
  await server.runPage(await readPage(path))
})
