import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { sampleSize } from '../../test/support/runner/sample-size.ts'
import { isLongerThan, isShorterThan } from './sound-text.ts'

test('counts code points like spreading the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 12 }), fc.nat(14), (text, limit) => {
      const length = [...text].length
      assert.equal(isShorterThan(text, limit), length < limit)
      assert.equal(isLongerThan(text, limit), length > limit)
    }),
    { numRuns: sampleSize(2000) },
  )
})
