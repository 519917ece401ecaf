import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsOwnProcess } from '../support/runner/test-processes.ts'
import { pathsThatRun, readSourceFiles } from '../support/source-files.ts'

const files = readSourceFiles()
const tests = files.filter(({ path }) => path.endsWith('.test.ts'))

test('each test that loads Vite has a separate process', () => {
  // Vite sets NODE_ENV, for the whole process.
  const importing = files.filter(({ text }) => /^import (?!type\b).* from 'vite'|import\('vite'\)/m.test(text))
  const loadsVite = pathsThatRun(
    files,
    importing.map(({ path }) => path),
  )
  const loading = tests.filter(({ path }) => loadsVite.has(path))
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
  const late = tests.filter(({ text }) => awaits.test(text.replace(/`(?:[^`\\]|\\[\s\S])*`/g, '``')))
  assert.deepEqual(
    late.map(({ path }) => path),
    [],
  )
})
