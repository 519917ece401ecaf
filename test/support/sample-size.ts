const isFull = process.env['TENANTRY_TEST_SAMPLES'] === 'full'

/**
 * How many rounds of a campaign, or generated cases of a property, a test runs: all of them in `npm run check`, fewer in
 * `npm test`.
 * @param fewer a quarter unless given
 */
export const sampleSize = (all: number, fewer = Math.ceil(all / 4)): number => (isFull ? all : fewer)
