import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { operations } from '../../contract/operations.ts'
import { parseEnvFile } from '../../server/settings/env-file.ts'
import { readConfig } from '../../server/settings/read-config.ts'

const read = (path: string): string => readFileSync(join(import.meta.dirname, '../..', path), 'utf8')

/** Every setting that the server reads, found by handing it an empty environment. */
function settingsRead(): Set<string> {
  const names = new Set<string>()
  const environment = new Proxy<Record<string, string>>(
    {},
    {
      get(_target, name) {
        names.add(String(name))
        return undefined
      },
    },
  )
  readConfig(environment)
  return names
}

test('docs/reference/settings.md and .env.example name every setting, and no other', () => {
  const settings = [...settingsRead()].sort()
  assert.ok(settings.length > 30)
  const name = /\b[A-Z]+_[A-Z_]+\b|\b(?:PORT|HOST)\b/g
  const [page = ''] = read('docs/reference/settings.md').split('## Command line and demo')
  const firstCells = [...page.matchAll(/^\| (`.*?) \|/gm)].map(([, cell]) => cell!)
  const filePart = page.slice(page.indexOf('A secret may come from a file'), page.indexOf('## Delivery'))
  const documented = [...firstCells, filePart].flatMap((text) => text.match(name) ?? [])
  assert.deepEqual([...new Set(documented)].sort(), settings)

  const example = read('.env.example')
  const assigned = [...example.matchAll(/^# ([A-Z_]+)=/gm)].map(([, assignedName]) => assignedName!)
  const mentioned = new Set(example.match(name))
  assert.deepEqual(
    settings.filter((setting) => !mentioned.has(setting)),
    [],
  )
  assert.deepEqual(
    assigned.filter((setting) => !settings.includes(setting)),
    [],
  )
})

test('docs/reference/settings.md has the range and the default of every number', () => {
  const source = read('server/settings/read-config.ts') + read('server/settings/database-settings.ts')
  const declared = Array.from(
    source.matchAll(/\.whole\(\s*'(\w+)', ([\w]+), ([\d_]+), ([^\n]+)\)/g),
    ([, ...parts]) => parts,
  )
  assert.ok(declared.length > 10, `${declared.length}`)
  const rows = read('docs/reference/settings.md').split('\n')
  for (const [name, least, most, fallback] of declared) {
    const row = rows.find((each) => each.startsWith(`| \`${name}\` |`))
    assert.ok(row, `docs/reference/settings.md has no row for ${name}`)
    const [, , standard, values] = row.split('|')
    const plain = (text: string) => text.replaceAll('_', '')
    assert.match(values!, new RegExp(`\\b${/\d/.test(least!) ? plain(least!) : '\\d+'} to ${plain(most!)}\\b`), name)
    // A default that is not a number, or is never used because the setting is optional, is not compared.
    if (/^\d+$/.test(plain(fallback!)) && !/none/.test(standard!)) assert.ok(standard!.includes(plain(fallback!)), name)
  }
})

test('.env.example sets nothing, and each of its lines can be uncommented', () => {
  const lines = read('.env.example').split('\n')
  assert.deepEqual(
    lines.filter((line) => line !== '' && !line.startsWith('#')),
    [],
  )
  const settings = lines.filter((line) => /^# [A-Z_]+=/.test(line)).map((line) => line.slice(2))
  assert.ok(settings.length > 30)
  for (const line of settings) assert.doesNotThrow(() => parseEnvFile(line), line)
})

test('the table of operations in docs/reference/api.md has every operation', () => {
  const page = read('docs/reference/api.md')
  const table = page.slice(page.indexOf('## Operations'), page.indexOf('## Envelope'))
  const shown = Array.from(table.matchAll(/`(?:[A-Z]+ )?(\/[^`]*)`/g), ([, path]) => path!)
  // `/admin/tenants…` stands for all that is below.
  const isShown = (path: string) =>
    shown.some((one) => (one.endsWith('…') ? path.startsWith(one.slice(0, -1)) : path === one))
  const missing = Object.values(operations)
    .map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))
    .filter((path) => !isShown(path))
  assert.deepEqual(missing, [])
})
