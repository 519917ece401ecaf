import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsOwnProcess } from '../support/runner/test-processes.ts'
import { readSourceFiles } from '../support/source-files.ts'

const files = new Map(readSourceFiles().map((file) => [file.path, file]))

/** Whether a file runs a module that loads Vite, which sets NODE_ENV for the whole process. */
function loadsVite(path: string, seen = new Set<string>()): boolean {
  const file = files.get(path)
  if (file === undefined || seen.has(path)) return false
  seen.add(path)
  if (/^import (?!type\b).* from 'vite'|import\('vite'\)/m.test(file.text)) return true
  return file.imports.some((one) => one.kind === 'runs' && loadsVite(one.path, seen))
}

test('each test that loads Vite has a separate process', () => {
  const loading = [...files.values()].filter(({ path }) => path.endsWith('.test.ts') && loadsVite(path))
  assert.ok(loading.length >= 3)
  const shared = loading.filter(({ text }) => !needsOwnProcess.test(text))
  assert.deepEqual(
    shared.map(({ path }) => path),
    [],
  )
})

test('no test file awaits at its top level after its first test', () => {
  // The runner would end the file when the tests before are over, and cancel those that come later.
  const awaits = /^(?:(?:for|test|describe)\b[\s\S]*\n)(?:(?:export )?const .* = )?(?:for )?await\b/m
  const late = [...files.values()].filter(
    ({ path, text }) => path.endsWith('.test.ts') && awaits.test(text.replace(/`(?:[^`\\]|\\[\s\S])*`/g, '``')),
  )
  assert.deepEqual(
    late.map(({ path }) => path),
    [],
  )
})
