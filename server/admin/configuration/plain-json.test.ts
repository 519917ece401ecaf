import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { plainJsonProblems } from './plain-json.ts'

test('finds no problem in plain JSON', () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: 'grapheme', noUnicodeString: false } as never), (value) => {
      const text = JSON.stringify(value)
      fc.pre(!text.includes('__proto__') && !text.includes('\\u0000'))
      assert.deepEqual(plainJsonProblems(JSON.parse(text)), {})
    }),
  )
})

test('reports each value that cannot be stored, by its path', () => {
  const value = {
    number: Number.NaN,
    list: [1, { deep: Number.POSITIVE_INFINITY }],
    nul: 'a\0b',
    lone: { '\ud800': 1 },
    text: 'a\udc00',
    proto: JSON.parse('{"__proto__": {"polluted": 1}}'),
    fine: [null, true, 'ü', -0.5],
  }
  const number = 'This number cannot be kept exactly: send it as a string'
  assert.deepEqual(plainJsonProblems(value), {
    number,
    'list.1.deep': number,
    nul: 'Invalid string',
    'lone.\ufffd': 'Invalid string',
    text: 'Invalid string',
    'proto.__proto__': 'This name is reserved: choose another',
  })
  assert.deepEqual(plainJsonProblems(Number.NaN), { body: number })
})

test('reports at most a hundred problems', () => {
  assert.equal(Object.keys(plainJsonProblems(Array.from({ length: 5000 }, () => Number.NaN))).length, 100)
})
