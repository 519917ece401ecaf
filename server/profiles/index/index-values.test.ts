import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleSize } from '../../../test/support/runner/sample-size.ts'
import { foldText, searchValue, searchValues, sortableNumber } from './index-values.ts'

const byBytes = (one: string, other: string) => Math.sign(Buffer.compare(Buffer.from(one), Buffer.from(other)))

test('folds spellings of the same text to one', () => {
  for (const [one, other] of [
    ['Straße', ' STRASSE\n'],
    ['STRAẞE', 'strasse'],
    ['ΟΔΟΣ', 'οδος'],
    ['Zoe\u0301', 'ZOÉ'],
    ['ﬁnﬂ', 'FINFL'],
    ['ｐａｒｉｓ', 'Paris'],
    ['\u212A', 'k'],
    ['Ǆ', 'ǆ'],
  ] as const) {
    assert.equal(foldText(one), foldText(other), one)
  }
  assert.notEqual(foldText('ann a'), foldText('anna'))
  assert.notEqual(foldText('e'), foldText('é'))
})

test('folds every character like its upper and lower case, and folding twice changes nothing', () => {
  for (let code = 1; code <= 0x10ffff; code++) {
    if (code >= 0xd800 && code <= 0xdfff) continue
    const character = String.fromCodePoint(code)
    const folded = foldText(character)
    if (folded === character) continue
    assert.equal(foldText(folded), folded, code.toString(16))
    assert.equal(foldText(character.toUpperCase()), folded, code.toString(16))
    assert.equal(foldText(character.toLowerCase()), folded, code.toString(16))
  }
})

test('folds the beginning of a word to the beginning of the folded word', () => {
  assert.ok(foldText('ΣΟΦΟΣΑ').startsWith(foldText('ΣΟΦΟΣ')))
})

test('numbers sort like their texts, with 0 and -0 equal', () => {
  const number = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(number, number, (one, other) => {
      const order = one === other ? 0 : one < other ? -1 : 1
      assert.equal(byBytes(sortableNumber(one), sortableNumber(other)), order)
    }),
    { numRuns: sampleSize(5000) },
  )
  assert.equal(sortableNumber(-0), sortableNumber(0))
  const sorted = [-Number.MAX_VALUE, -2, -1.5, -Number.MIN_VALUE, 0, 1e-300, 9, 10, 2 ** 53, Number.MAX_VALUE]
  assert.deepEqual(sorted.map(sortableNumber).toSorted(byBytes), sorted.map(sortableNumber))
  for (const value of sorted) assert.equal(sortableNumber(value).length, 16)
})

test('indexes the first 256 code points of a text', () => {
  assert.equal(searchValue('text', '😀'.repeat(300)), '😀'.repeat(256))
  assert.equal(searchValue('text', 'A'.repeat(256)), 'a'.repeat(256))
  assert.equal(searchValue('text', `${'a'.repeat(255)}ßx`), `${'a'.repeat(255)}s`)
})

test('indexes one entry for each chosen option, and nothing for null or a value of another type', () => {
  assert.deepEqual(searchValues('multiselect', ['Red', 'blue', 'Red']), ['red', 'blue'])
  assert.deepEqual(searchValues('multiselect', []), [])
  assert.deepEqual(searchValues('boolean', false), ['false'])
  assert.deepEqual(searchValues('date', '2024-02-29'), ['2024-02-29'])
  assert.deepEqual(searchValues('select', 'FR'), ['fr'])
  assert.deepEqual(searchValues('integer', 18), [sortableNumber(18)])
  for (const type of ['text', 'integer', 'boolean'] as const) assert.deepEqual(searchValues(type, null), [])
  assert.deepEqual(searchValues('integer', '18'), [])
  assert.deepEqual(searchValues('text', 18), [])
  assert.deepEqual(searchValues('boolean', 'true'), [])
})
