/**
 * A statement as SQLite gets it. To SQLite $1 is a name, and node:sqlite binds by position to ?1.
 *
 * A bare parameter as the limit would become part of the query plan: SQLite (3.48 and later) then prepares the statement
 * again at each run, which takes as long as a short query. An expression is not, so one plan serves all limits.
 */
export const sqliteText = (sql: string): string =>
  sql.replaceAll(/\bLIMIT \$(\d+)/g, 'LIMIT $$$1 + 0').replaceAll(/\$(\d+)/g, '?$1')
