/** More rows than a statement changes at once. */
export const mostRows = 1_000

/**
 * A subquery of the first `count` rows of a query, of at most `mostRows`, for a statement that changes them. Plans on
 * PostgreSQL are generic (decision 0022): it takes a `LIMIT` that is a parameter for a tenth of the rows, and would read the
 * whole table instead of finding the rows by their keys.
 */
export const firstRows = (query: string, count: string): string =>
  `SELECT * FROM (${query} LIMIT ${mostRows}) AS first_rows LIMIT ${count}`
