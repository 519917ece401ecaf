/** The value below which a share of the values lies, from 0 to 1; NaN of no values. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

/** Of an even number of values, the upper of the middle two. */
export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** A line of a table: a name and aligned cells. */
export const row = (name: string, ...cells: string[]): string =>
  name.padEnd(36) + cells.map((cell) => cell.padStart(12)).join('')
