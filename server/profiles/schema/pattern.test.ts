import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePattern, refusePattern } from './pattern.ts'

test('matches anywhere in the value without anchors', () => {
  assert.equal(compilePattern('[0-9]{2}')('abc42def'), true)
  assert.equal(compilePattern('^[0-9]{2}$')('abc42def'), false)
  assert.equal(compilePattern('^\\p{Lu}\\p{Ll}+$')('Élodie'), true)
  assert.equal(compilePattern('^.$')('😀'), true)
  assert.equal(compilePattern('(?i)^ÉA$')('éa'), true)
})

test('names lookaround and backreferences when it rejects them (threat E06)', () => {
  for (const pattern of ['(?=a)b', '(?!a)b', '(?<=a)b', '(?<!a)b'])
    assert.match(refusePattern(pattern)!, /lookaround.*RE2 syntax/)
  for (const pattern of ['(a)\\1', '(?P<n>a)\\k<n>']) assert.match(refusePattern(pattern)!, /backreference.*RE2 syntax/)
})

test('rejects a literal of JavaScript, which would match no value, and no other pattern with slashes', () => {
  for (const pattern of ['/^a$/', '/^a/', '/a$/i', '/^[a-z]{2}$/gu']) assert.match(refusePattern(pattern)!, /slashes/)
  for (const pattern of ['^/api/', '/', '/a/', '^a/[^$]/i$', '^[0-9]+\\$/', '^a/b$', '[/^]$', '^[$/i]'])
    assert.equal(refusePattern(pattern), null, pattern)
})

test('rejects invalid RE2 syntax with the reason', () => {
  assert.match(refusePattern('(a')!, /missing closing \)/)
  assert.match(refusePattern('a**')!, /invalid nested repetition/)
  assert.match(refusePattern('[z-a]')!, /invalid character class range/)
  for (const value of [42, null, undefined, {}, ['a'], '', 'a\0', '\ud800']) assert.notEqual(refusePattern(value), null)
})

test('rejects patterns above the limits of length, repetitions, size and folded ranges', () => {
  assert.equal(refusePattern('a'.repeat(256)), null)
  assert.match(refusePattern('a'.repeat(257))!, /longer than 256/)
  assert.equal(refusePattern('a{100}'), null)
  assert.match(refusePattern('a{101}')!, /repeats more than 100/)
  assert.match(refusePattern('(.{1,30}){1,30}')!, /repeats more than 100/)
  assert.match(refusePattern('[ab]*a[ab]{900}$')!, /repeats more than 100/)
  assert.match(refusePattern(`(?:${'a?'.repeat(60)}){100}`)!, /too large/)
  for (const range of ['B-\uffff', '--\uffff', '\\x{42}-\\x{1f000}'])
    assert.match(refusePattern(`(?i)[${range}]`)!, /\(\?i\)/)
  assert.equal(refusePattern('(?i)^[a-z0-9а-я一-龥_-]+$'), null)
  assert.equal(refusePattern('^[B-\uffff]+$'), null)
  assert.equal(refusePattern(`^${'[\\p{L}\\P{M}]'.repeat(8)}$`), null)
  assert.match(refusePattern(`^${'\\pL'.repeat(17)}$`)!, /more than 16 Unicode classes/)
  assert.equal(refusePattern(`(?i)^${'\\pL'.repeat(4)}$`), null)
  assert.match(
    refusePattern(`(?i)^${'\\pL'.repeat(5)}$`)!,
    /more than 4 Unicode classes such as \\p\{L\} under \(\?i\)/,
  )
})

test('keeps little memory per pattern, whatever it matched', () => {
  const matches = Array.from({ length: 50 }, (_, index) =>
    compilePattern(`[\\p{L}\\p{N}]*\\p{Ll}[\\p{L}\\p{N}]{9${index % 10}}[!?]$`),
  )
  const letters = Array.from({ length: 1024 }, (_, index) => 'kKsSéЖ漢'[(index * index * 7 + index) % 7]).join('')
  globalThis.gc?.()
  const before = process.memoryUsage().heapUsed
  for (const match of matches) match(letters)
  // Without the cap each automaton would keep up to 13 MB: 650 MB in all.
  assert.ok(process.memoryUsage().heapUsed - before < 100_000_000)
})
