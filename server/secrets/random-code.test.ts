import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { anyText } from '../../test/support/any-text.ts'
import { sampleSize } from '../../test/support/runner/sample-size.ts'
import { drawCode, sameText } from './random-code.ts'

/** The 0.999 quantile of χ² with nine degrees of freedom. */
const CHI_SQUARE_P_001 = 27.877

/** χ² of each digit of `rounds` codes against the uniform distribution. */
function chiSquares(length: number, rounds: number): number[] {
  const counts = Array.from({ length }, () => new Array<number>(10).fill(0))
  for (let round = 0; round < rounds; round++) {
    const code = drawCode(length)
    assert.equal(code.length, length)
    for (let place = 0; place < length; place++) counts[place]![code.charCodeAt(place) - 48]!++
  }
  const expected = rounds / 10
  return counts.map((digits) => digits.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0))
}

const rounds = sampleSize(1_000_000)

test('distributes each digit uniformly, p > 0.001 (threat C13)', () => {
  const first = chiSquares(6, rounds)
  if (first.every((value) => value < CHI_SQUARE_P_001)) return
  // Six fair digits fail once in 170 runs; a second, independent sample of the failed ones tells chance from bias.
  const second = chiSquares(6, rounds)
  first.forEach((value, place) => {
    assert.ok(
      value < CHI_SQUARE_P_001 || second[place]! < CHI_SQUARE_P_001,
      `digit ${place}: ${value}, ${second[place]}`,
    )
  })
})

test('keeps leading zeros (threat C13)', () => {
  const codes = Array.from({ length: 2000 }, () => drawCode(4))
  assert.ok(codes.every((code) => /^[0-9]{4}$/.test(code)))
  assert.ok(codes.some((code) => code.startsWith('0')))
})

test('rejects a length that is not an integer from 1 to 14', () => {
  assert.match(drawCode(14), /^[0-9]{14}$/)
  for (const length of [0, 15, -1, 2.5, Number.NaN]) assert.throws(() => drawCode(length), RangeError)
})

test('compares texts for equality', () => {
  fc.assert(fc.property(anyText(), (a) => sameText(a, `${a}`)))
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => sameText(a, b) === (a === b)))
  assert.equal(sameText('123456', '1234567'), false)
  assert.equal(sameText('', ''), true)
  assert.equal(sameText('\ud800', '\ud801'), false)
  assert.equal(sameText('é', 'e\u0301'), false)
})
