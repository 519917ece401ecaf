/** `npm run check` runs campaigns and properties in full, `npm test` samples of them. */
const isFull = process.env['TENANTRY_TEST_SAMPLES'] === 'full'

/**
 * How many rounds of a campaign, or generated cases of a property, a test runs.
 * @param sample an eighth of all unless given
 */
export const sampleSize = (all: number, sample = Math.ceil(all / 8)): number => (isFull ? all : sample)

/** The cases that a test runs: all, or the first, the last and every third between. */
export const sampleOf = <T>(all: readonly T[]): readonly T[] =>
  isFull ? all : all.filter((_, index) => index % 3 === 0 || index === all.length - 1)

/** Options of a test that only full runs include, such as a negative control of a campaign or a start of a process. */
export const fullRunsOnly = { skip: !isFull && 'runs in npm run check' }

/** Options of a test that full runs leave out, because another test of theirs includes it. */
export const samplesOnly = { skip: isFull && 'part of another test in full runs' }
