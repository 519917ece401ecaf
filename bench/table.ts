/** The middle of an odd number of values, the upper one of the two of an even number; NaN of none. */
export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** A line of a table: a name, and cells in columns under each other. */
export const row = (name: string, ...cells: string[]): string =>
  name.padEnd(36) + cells.map((cell) => cell.padStart(12)).join('')
