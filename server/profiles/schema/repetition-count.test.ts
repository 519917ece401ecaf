import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nestedRepetition } from './repetition-count.ts'

test('multiplies nested counts but not adjacent ones', () => {
  const counts: [pattern: string, product: number][] = [
    ['', 1],
    ['abc*', 1],
    ['a{10}', 10],
    ['a{2,30}', 30],
    ['a{20,}', 20],
    ['a{0}', 1],
    ['a{10}b{20}', 20],
    ['(?:a{10}b{20}){5}', 100],
    ['((a{10}){10}){10}', 1000],
    ['(a{10}|b){3}c{40}', 40],
    ['(a{10})+{4}', 40],
    ['[{]{7}', 7],
    ['[]a{9}]{7}', 7],
    ['[^]a]{7}', 7],
    ['[\\]{9}]{7}', 7],
    ['[[:alpha:]]{7}', 7],
    ['\\Q{99}(\\E{7}', 7],
    ['\\({7}', 7],
    ['\\\\{7}', 7],
    ['a{,5}', 1],
    ['a{5', 1],
    ['(a{9}', 9],
    ['a{9})){2}', 18],
    ['{9}', 9],
    ['a{99999999999}', 99999999999],
  ]
  for (const [pattern, product] of counts) assert.equal(nestedRepetition(pattern), product, pattern)
})
