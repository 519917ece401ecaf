import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../test/support/any-text.ts'
import { sampleSize } from '../../test/support/runner/sample-size.ts'
import { isLongerThan, isShorterThan, isSoundText } from './sound-text.ts'

test('counts code points like spreading the text', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 12 }), fc.nat(14), (text, limit) => {
      const length = [...text].length
      assert.equal(isShorterThan(text, limit), length < limit)
      assert.equal(isLongerThan(text, limit), length > limit)
    }),
    { numRuns: sampleSize(2000) },
  )
})

test('takes every text but those with a NUL or a lone surrogate', () => {
  const unit = fc.constantFrom('a', 'é', '\u{1f600}', '\ud83d', '\ude00', '\ud800', '\udfff', '\ud7ff', '\ue000', '\0')
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 6 }), (text) => {
      assert.equal(isSoundText(text), text.isWellFormed() && !text.includes('\0'))
    }),
    { numRuns: sampleSize(2000) },
  )
})
