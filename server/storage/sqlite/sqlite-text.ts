/**
 * A statement as SQLite gets it. To SQLite $1 is a name, and node:sqlite binds by position to ?1.
 *
 * A bare parameter becomes part of the query plan: as a limit since SQLite 3.48, and compared with `=` in a join or beside an
 * ORDER BY since 3.54. SQLite then prepares the statement again at each run, which takes longer than most of them. An
 * expression is not part of the plan, and a plus sign is one that takes no instruction.
 */
export const sqliteText = (sql: string): string => sql.replaceAll(/\$(\d+)/g, '+?$1')
