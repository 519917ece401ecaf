import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readSourceFiles } from '../support/source-files.ts'

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

/** What a reader of `server/` finds: each folder is one of these. */
const serverFolders: Readonly<Record<string, readonly string[]>> = {
  features: [
    ...[
      'accounts',
      'admin',
      'delivery',
      'events',
      'housekeeping',
      'identity-providers',
      'maintenance',
      'otp',
      'password-reset',
    ],
    ...['operators', 'passwords', 'profiles', 'statistics', 'tenants'],
  ],
  technology: ['core', 'http', 'limits', 'metrics', 'secrets', 'startup', 'storage', 'system'],
  settings: ['settings'],
}

test('server/ holds features, technology and settings, and at most five files', () => {
  const paths = readSourceFiles()
    .map(({ path }) => path.split('/'))
    .filter(([top]) => top === 'server')
  const folders = new Set(paths.filter(({ length }) => length > 2).map(([, folder]) => folder))
  assert.deepEqual([...folders].toSorted(), Object.values(serverFolders).flat().toSorted())
  assert.ok(paths.filter(({ length }) => length === 2).length <= 5)
})
