/** The median; of an even number of values, the upper of the middle two; NaN of no values. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** A line of a table: a name and aligned cells. */
export const row = (name: string, ...cells: string[]): string =>
  name.padEnd(36) + cells.map((cell) => cell.padStart(12)).join('')
