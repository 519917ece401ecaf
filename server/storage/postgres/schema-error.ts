const checkEngine = 'Check that TENANTRY_DATABASE_ENGINE names the engine of this database (default: postgresql).'

/** What to do about an error of a schema change, by its code (PostgreSQL manual, appendix A). */
const advice: Readonly<Record<string, string>> = {
  // insufficient_privilege
  '42501':
    'Connect as the owner of the database and its tables, or change the owner: ALTER DATABASE <database> OWNER TO <user>.',
  // syntax_error and feature_not_supported: the SQL is for another engine
  '42601': checkEngine,
  '0A000': checkEngine,
  // duplicate_table, where existing tables are not skipped
  '42P07':
    'The table belongs to another program, or to a migration that was interrupted with another TENANTRY_DATABASE_ENGINE; use an empty database.',
  // lock_not_available, after ten minutes
  '55P03': 'A long transaction, such as a backup, has used the table for ten minutes; start again once it has ended.',
}

/** The error with advice on what to do, or the same error when there is none. */
export function explainSchemaError(error: unknown): unknown {
  const { code = '', message } = error as { code?: string; message?: string }
  const action = advice[code]
  return action === undefined ? error : new Error(`Schema change failed: ${message}. ${action}`, { cause: error })
}
