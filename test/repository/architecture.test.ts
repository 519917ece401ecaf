import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
const table = page.slice(page.indexOf('## Folders'), page.indexOf('## Why it is built so'))

test('docs/architecture.md says what each folder of the server does, and of no other', () => {
  const entries = readdirSync(join(root, 'server'), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const named = Array.from(table.matchAll(/^\| ([^|]*) \|/gm), ([, cell]) => cell!).join(' ')
  const shown = Array.from(named.matchAll(/`server\/([a-z-]+)`/g), ([, name]) => name!)
  assert.deepEqual(shown.toSorted(), folders.toSorted())
})

test('its diagram has the parts of the process and what they talk to', () => {
  const [, diagram = ''] = /```mermaid\n([\s\S]*?)```/.exec(page) ?? []
  for (const part of ['Outbox worker', 'Event relay', 'Housekeeping', 'Console', 'Operator', 'Client application'])
    assert.ok(diagram.includes(part), part)
})
