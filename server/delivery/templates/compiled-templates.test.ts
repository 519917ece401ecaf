import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createCompiledTemplates } from './compiled-templates.ts'

test('a template is compiled once, apart for HTML', () => {
  const compiled = createCompiledTemplates()
  const first = compiled.get('{{ code }}', 'text')
  assert.equal(compiled.get('{{ code }}', 'text'), first)
  assert.notEqual(compiled.get('{{ code }}', 'html'), first)
})

test('beyond its size those used longest ago are forgotten', () => {
  const compiled = createCompiledTemplates({ mostCharacters: 40 })
  const [a, b] = [compiled.get('a'.repeat(10), 'text'), compiled.get('b'.repeat(10), 'text')]
  assert.equal(compiled.get('a'.repeat(10), 'text'), a)
  compiled.get('c'.repeat(10), 'text')
  assert.ok(compiled.size <= 40)
  assert.equal(compiled.get('a'.repeat(10), 'text'), a)
  assert.notEqual(compiled.get('b'.repeat(10), 'text'), b)
})

test('one too long to be kept still works', () => {
  const compiled = createCompiledTemplates({ mostCharacters: 5 })
  assert.ok(compiled.get('a long template', 'text'))
  assert.equal(compiled.size, 0)
})

test('what does not compile is not kept', () => {
  const compiled = createCompiledTemplates()
  assert.throws(() => compiled.get('{{', 'text'), { name: 'TemplateProblem' })
  assert.equal(compiled.size, 0)
})
