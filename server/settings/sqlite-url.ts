/** The database file of a deployment without `DATABASE_URL`. */
export const defaultSqlitePath = './data/tenantry.db'

/** The path in `sqlite:<path>`; undefined for any other URL. */
export const sqlitePathOf = (url: string): string | undefined => /^sqlite:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1]
