import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { buildConsole, consoleFolder } from '../support/browser/built-console.ts'

/** A chunk in vite's manifest. */
interface Chunk {
  readonly file: string
  readonly isEntry?: boolean
  readonly isDynamicEntry?: boolean
  readonly imports?: readonly string[]
  readonly css?: readonly string[]
}

let chunks: Readonly<Record<string, Chunk>>
before(() => {
  buildConsole()
  chunks = JSON.parse(readFileSync(join(consoleFolder, '.vite/manifest.json'), 'utf8'))
})

/** Kilobytes that are sent to a browser. */
const sizeOf = (file: string): number => statSync(join(consoleFolder, `${file}.br`)).size / 1000

/** The chunks that the page loads before it shows anything: the entry and its imports. */
function firstChunks(): Set<string> {
  const found = new Set<string>()
  function add(name: string): void {
    if (found.has(name)) return
    found.add(name)
    for (const imported of chunks[name]!.imports ?? []) add(imported)
  }
  for (const [name, { isEntry }] of Object.entries(chunks)) if (isEntry) add(name)
  return found
}

const isScript = ([, { file }]: [string, Chunk]) => file.endsWith('.js')

test('the first visit loads at most 200 KB of scripts and 32 KB of styles', (t) => {
  const first = [...firstChunks()].map((name) => chunks[name]!)
  const total = (files: readonly string[]) => files.reduce((sum, file) => sum + sizeOf(file), 0)
  const [scripts, styles] = [total(first.map(({ file }) => file)), total(first.flatMap(({ css = [] }) => css))]
  t.diagnostic(`scripts ${scripts.toFixed(1)} KB, styles ${styles.toFixed(1)} KB`)
  assert.ok(scripts > 50 && scripts <= 200, `${scripts} KB of scripts`)
  assert.ok(styles > 5 && styles <= 32, `${styles} KB of styles`)
})

/** Chunks that may be larger than a screen, in KB: all are loaded when they are needed. */
const large: readonly (readonly [RegExp, number])[] = [
  [/^profile-schema\//, 45],
  [/chart/i, 100],
  [/^parts\/json-editor\//, 100],
  // Dragging, of the profile schema and of senders.
  [/sortable|drag-/, 15],
]

test('a screen loads at most 10 KB for itself, and what is larger is loaded when needed', (t) => {
  const first = firstChunks()
  const later = Object.entries(chunks)
    .filter(isScript)
    .filter(([name]) => !first.has(name))
  assert.ok(later.length > 10)
  const sizes = later.map(([name, { file }]) => ({ name, size: sizeOf(file) }))
  const largest = sizes.toSorted((a, b) => b.size - a.size).slice(0, 5)
  t.diagnostic(largest.map(({ name, size }) => `${name} ${size.toFixed(1)} KB`).join(', '))
  const allowed = (name: string) => large.find(([pattern]) => pattern.test(name))?.[1] ?? 10
  assert.deepEqual(
    sizes.filter(({ name, size }) => size > allowed(name)),
    [],
  )
})

test('no chunk contains zod: the server validates', () => {
  const scripts = readdirSync(join(consoleFolder, 'assets')).filter((name) => name.endsWith('.js'))
  const withZod = scripts.filter((name) =>
    /ZodError|ZodType/.test(readFileSync(join(consoleFolder, 'assets', name), 'utf8')),
  )
  assert.deepEqual(withZod, [])
})

test('no file names another host that it could load from', () => {
  const names = readdirSync(consoleFolder, { recursive: true, encoding: 'utf8' })
  const loading = /(?:src|href)="https?:|url\(["']?https?:|@import/
  const found = names
    .filter((name) => /\.(?:html|css)$/.test(name))
    .filter((name) => loading.test(readFileSync(join(consoleFolder, name), 'utf8')))
  assert.deepEqual(found, [])
})
