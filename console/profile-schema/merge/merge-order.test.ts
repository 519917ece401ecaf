import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeOrder } from './merge-order.ts'

const merged = (
  base: string,
  mine: string,
  theirs: string,
  members = new Set([...base, ...mine, ...theirs].join('')),
) => mergeOrder([...base], [...mine], [...theirs], members).join('')

test('takes the order of the one who moved something', () => {
  assert.equal(merged('abcd', 'abcd', 'dabc'), 'dabc')
  assert.equal(merged('abcd', 'dabc', 'abcd'), 'dabc')
})

test('takes what each of them moved', () => {
  assert.equal(merged('abcdef', 'bacdef', 'abcdfe'), 'bacdfe')
  assert.equal(merged('abcdef', 'fabcde', 'abdcef'), 'fabdce')
})

test('places what was added behind what it follows', () => {
  assert.equal(merged('abc', 'axbc', 'abyc'), 'axbyc')
  assert.equal(merged('ab', 'abx', 'aby'), 'abxy')
  assert.equal(merged('ab', 'xab', 'ab'), 'xab')
})

test('an item that both moved goes where mine has it', () => {
  assert.equal(merged('abcd', 'bcda', 'bacd'), 'bcda')
})

test('has the members only, and each once', () => {
  assert.equal(merged('abc', 'abc', 'acb', new Set('ab')), 'ab')
  assert.equal(merged('abc', 'ab', 'cb', new Set('bcz')), 'cbz')
})
