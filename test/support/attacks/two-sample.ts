/** Two measurements, one right after the other, in either order equally often. */
export type Pair = readonly [first: number, second: number]

/** The probability of differences at least this large if both columns have the same distribution. */
export interface Comparison {
  /** Kolmogorov-Smirnov: any difference in distribution. */
  readonly ks: number
  /** Wilcoxon signed rank: a shift. It compares within pairs, so a busy machine does not blur it. */
  readonly signedRank: number
  /** The smaller of both, Bonferroni-corrected. */
  readonly p: number
  /** The median of the differences, first minus second. */
  readonly medianDifference: number
}

/** Compares the first column of the pairs with the second. */
export function comparePairs(pairs: readonly Pair[]): Comparison {
  const ks = kolmogorovSmirnov(
    pairs.map(([first]) => first),
    pairs.map(([, second]) => second),
  )
  const differences = pairs.map(([first, second]) => first - second)
  const signedRank = wilcoxonSignedRank(differences)
  return { ks, signedRank, p: Math.min(1, 2 * Math.min(ks, signedRank)), medianDifference: median(differences) }
}

/** p value of the two-sample Kolmogorov-Smirnov test, asymptotic: for samples of 50 and more. */
export function kolmogorovSmirnov(first: readonly number[], second: readonly number[]): number {
  const [a, b] = [first.toSorted(ascending), second.toSorted(ascending)]
  let [i, j, distance] = [0, 0, 0]
  while (i < a.length && j < b.length) {
    const value = Math.min(a[i]!, b[j]!)
    while (a[i] === value) i++
    while (b[j] === value) j++
    distance = Math.max(distance, Math.abs(i / a.length - j / b.length))
  }
  return kolmogorovTail(distance * Math.sqrt((a.length * b.length) / (a.length + b.length)))
}

/** Probability that the Kolmogorov distribution exceeds `lambda`. */
export function kolmogorovTail(lambda: number): number {
  // The series converges too slowly here, and the probability is above 0.9999999.
  if (lambda < 0.2) return 1
  let sum = 0
  for (let k = 1; k <= 100; k++) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * (k * lambda) ** 2)
  return Math.min(1, Math.max(0, sum))
}

/** Two-sided p value of Wilcoxon's signed-rank test, normal approximation with the correction for ties; no zeros. */
export function wilcoxonSignedRank(differences: readonly number[]): number {
  const sorted = differences.filter((value) => value !== 0).toSorted((a, b) => Math.abs(a) - Math.abs(b))
  const n = sorted.length
  let [positive, ties] = [0, 0]
  for (let start = 0, end = 0; start < n; start = end) {
    while (end < n && Math.abs(sorted[end]!) === Math.abs(sorted[start]!)) end++
    const rank = (start + end + 1) / 2
    positive += rank * sorted.slice(start, end).filter((value) => value > 0).length
    ties += (end - start) ** 3 - (end - start)
  }
  const variance = (n * (n + 1) * (2 * n + 1)) / 24 - ties / 48
  return variance === 0 ? 1 : normalTails((positive - (n * (n + 1)) / 4) / Math.sqrt(variance))
}

/** Probability that a standard normal variable is at least this far from 0 (Abramowitz and Stegun 7.1.26, 1.5e-7). */
export function normalTails(z: number): number {
  const x = Math.abs(z) / Math.SQRT2
  const t = 1 / (1 + 0.3275911 * x)
  const polynomial = [0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429]
  return polynomial.reduceRight((sum, factor) => (sum + factor) * t, 0) * Math.exp(-x * x)
}

const ascending = (a: number, b: number): number => a - b

/** The middle value. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted(ascending)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}
