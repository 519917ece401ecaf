import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '../../campaign/seeded-random.ts'
import { comparePairs, kolmogorovSmirnov, kolmogorovTail, normalTails, wilcoxonSignedRank } from './two-sample.ts'

const near = (actual: number, expected: number, within = 1e-4) =>
  assert.ok(Math.abs(actual - expected) <= within, `${actual} is not ${expected}`)
const numbers = (count: number, value: (index: number) => number) => Array.from({ length: count }, (_, at) => value(at))

test('computes the tabulated tail of the Kolmogorov distribution', () => {
  for (const [lambda, tail] of [
    [0.1, 1],
    [0.5, 0.963945],
    [0.828, 0.49933],
    [1, 0.27],
    [1.2238, 0.100023],
    [1.3581, 0.05],
    [1.6276, 0.010002],
    [1.95, 0.000996],
  ] as const)
    near(kolmogorovTail(lambda), tail, 2e-6)
})

test('computes the tabulated tails of the normal distribution', () => {
  for (const [z, tails] of [
    [0, 1],
    [1, 0.317311],
    [-1.96, 0.049996],
    [2.576, 0.009995],
    [3.29, 0.001002],
  ] as const)
    near(normalTails(z), tails, 1e-6)
})

test('uses the largest distance of the two distributions in the Kolmogorov-Smirnov test', () => {
  // Distances 0.06, 0.14 and 0.055, from SciPy's ks_2samp.
  const samples = (count: number, shift: number) =>
    [numbers(count, (at) => (at * 37) % 101), numbers(count, (at) => ((at * 53 + 7) % 101) + shift)] as const
  near(kolmogorovSmirnov(...samples(50, 0)), kolmogorovTail(0.06 * 5))
  near(kolmogorovSmirnov(...samples(50, 12)), kolmogorovTail(0.14 * 5))
  near(kolmogorovSmirnov(...samples(200, 5)), kolmogorovTail(0.055 * 10))
  near(kolmogorovSmirnov([1, 1, 2, 2], [1, 1, 2, 2]), 1)
  near(
    kolmogorovSmirnov(
      numbers(100, () => 0),
      numbers(100, () => 1),
    ),
    0,
  )
})

test('returns the p-values of SciPy for the signed-rank test, with ties and zeros', () => {
  const first = [125, 115, 130, 140, 140, 115, 140, 125, 140, 135]
  const second = [110, 122, 125, 120, 140, 124, 123, 137, 135, 145]
  near(wilcoxonSignedRank(first.map((value, at) => value - second[at]!)), 0.593631)
  const differences = (count: number, shift: number) =>
    numbers(count, (at) => ((at * 37) % 101) - ((at * 53 + 7) % 101) - shift)
  near(wilcoxonSignedRank(differences(50, 0)), 0.896309)
  near(wilcoxonSignedRank(differences(50, 12)), 0.082595)
  near(wilcoxonSignedRank(differences(200, 5)), 0.126219)
  assert.equal(wilcoxonSignedRank([0, 0, 0]), 1)
})

test('reports few differences within one distribution, and always a shift or a wider spread', () => {
  const draw = (round: number, shift = 0, spread = 1) => {
    const random = seededRandom(20260115, round)
    const busy = numbers(300, () => 10 * random.next())
    return busy.map((base) => [base + shift + spread * random.next(), base + random.next()] as const)
  }
  const alarms = numbers(400, (round) => comparePairs(draw(round)).p).filter((p) => p < 0.01)
  assert.ok(alarms.length <= 10, `${alarms.length} of 400`)
  assert.ok(comparePairs(draw(0, 0.3)).signedRank < 1e-6)
  const wide = draw(0).map(([, value], at) => [at % 2 === 0 ? value + 5 : value - 5, value] as const)
  assert.ok(comparePairs(wide).ks < 0.001)
})
