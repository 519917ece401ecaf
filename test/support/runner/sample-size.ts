/**
 * Set by `test/run.ts`: `none` in `npm run check`, `rounds` in `.ci/run`, which has every case and samples of random rounds.
 * `npm test` has samples of both.
 */
const samples = process.env['TENANTRY_TEST_SAMPLES']
const hasAllRounds = samples === 'none'
const hasAllCases = hasAllRounds || samples === 'rounds'

/**
 * How many rounds of a campaign, or generated cases of a property, a test runs.
 * @param sample an eighth of all unless given
 */
export const sampleSize = (all: number, sample = Math.ceil(all / 8)): number => (hasAllRounds ? all : sample)

/** The cases that a test runs: all, or the first, the last and every third between. */
export const sampleOf = <T>(all: readonly T[]): readonly T[] =>
  hasAllCases ? all : all.filter((_, index) => index % 3 === 0 || index === all.length - 1)

/** Options of a test that only runs of all cases include, such as a negative control of a campaign or a start of a process. */
export const fullRunsOnly = { skip: !hasAllCases && 'runs with --all' }

/** Options of a test that those runs leave out, because another test of theirs includes it. */
export const samplesOnly = { skip: hasAllCases && 'part of another test with --all' }
