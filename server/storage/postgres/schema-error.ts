/** What to do about an error that a change of the schema met, by the server's code (appendix A of PostgreSQL's manual). */
const advice: Readonly<Record<string, string>> = {
  // insufficient_privilege
  '42501':
    'Connect as the user that owns the database and its tables, or make this one the owner: ALTER DATABASE <database> OWNER TO <user>.',
  // syntax_error and feature_not_supported: another engine's words
  '42601': 'Is it the engine that TENANTRY_DATABASE_ENGINE names (postgresql unless set)?',
  '0A000': 'Is it the engine that TENANTRY_DATABASE_ENGINE names (postgresql unless set)?',
  // duplicate_table, where what was made is not passed over
  '42P07':
    'Another program made it, or a migration that was interrupted under another TENANTRY_DATABASE_ENGINE: name an empty database of its own.',
}

/** The same error, or one in words that also say what to do. */
export function explainSchemaError(error: unknown): unknown {
  const { code = '', message } = error as { code?: string; message?: string }
  const todo = advice[code]
  return todo === undefined
    ? error
    : new Error(`The database refuses the schema: ${message}. ${todo}`, { cause: error })
}
