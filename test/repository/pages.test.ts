import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { benches } from '../../bench/benches.ts'
import { campaigns } from '../campaign/campaigns.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const pages = globSync('{*,docs/**/*,packages/*/*,examples/*/*}.md', { cwd: root }).map((path) => ({
  path,
  text: read(path),
}))
const known: Record<string, readonly string[]> = { bench: Object.keys(benches), campaign: Object.keys(campaigns) }

/** `npm run …` in a page: the script, and the word after `--`. */
const runs = (text: string): [script: string, name: string | undefined][] =>
  Array.from(text.matchAll(/\bnpm run (?:-s )?([\w:]+)(?: -- ([a-z][a-z-]+)\b)?/g), ([, script, name]) => [
    script!,
    name,
  ])

test('the scripts, benches and campaigns that pages run exist', () => {
  const scripts = ['package.json', ...globSync('{packages,examples}/*/package.json', { cwd: root })]
    .flatMap((path) => Object.keys(JSON.parse(read(path)).scripts ?? {}))
    // Of the app that the React quickstart creates with Vite.
    .concat('dev', 'build')
  const unknown = pages
    .filter(({ path }) => path !== 'CHANGELOG.md')
    .flatMap(({ path, text }) =>
      runs(text)
        .filter(
          ([script, name]) => !scripts.includes(script) || known[script]?.includes(name ?? known[script][0]!) === false,
        )
        .map(([script, name]) => `${path}: npm run ${script} ${name ?? ''}`),
    )
  assert.deepEqual(unknown, [])
})

test('CONTRIBUTING.md names every campaign and docs/reference/performance.md every bench', () => {
  const row = read('CONTRIBUTING.md')
    .split('\n')
    .find((line) => line.includes('npm run campaign -- <name>'))!
  assert.deepEqual(
    Array.from(row.split('long runs:')[1]!.matchAll(/`(\w+)`/g), ([, name]) => name!),
    Object.keys(campaigns).toSorted(),
  )
  const shown = runs(read('docs/reference/performance.md')).map(([, name]) => name)
  assert.deepEqual(
    Object.keys(benches).filter((name) => !shown.includes(name)),
    [],
  )
})

test('every row of a table is in a table, which an empty line would end', () => {
  const lost = pages.flatMap(({ path, text }) => {
    const lines = text
      .replace(/^([ \t]*)```[\s\S]*?^\1```/gm, '')
      .split('\n')
      .map((line) => line.trim())
    return lines
      .filter(
        (line, index) =>
          line.startsWith('|') && !lines[index - 1]?.startsWith('|') && !/^\|[-| :]+\|$/.test(lines[index + 1] ?? ''),
      )
      .map((line) => `${path}: ${line}`)
  })
  assert.deepEqual(lost, [])
})
