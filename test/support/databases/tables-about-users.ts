/**
 * Each table with a column that refers to a user: its section of the export, and what remains after erasure. Without a
 * section a user who is not being deleted has no rows in it for longer than a second.
 * For a new table, decide on both in `export-account.ts` and `erase-user.ts` before adding it here.
 */
export const tablesAboutUsers = {
  event_erasures: { section: null, left: 'ids' },
  event_queue: { section: null, left: 'nothing' },
  events: { section: 'activity', left: 'ids' },
  idempotency_keys: { section: 'otps', left: 'nothing' },
  identities: { section: 'identities', left: 'nothing' },
  otps: { section: 'otps', left: 'ids' },
  outbox: { section: 'messages', left: 'ids' },
  profile_search: { section: 'profile', left: 'nothing' },
  profile_unique: { section: 'profile', left: 'nothing' },
  profiles: { section: 'profile', left: 'nothing' },
  // Kept to answer with TOKEN_USER_NOT_FOUND.
  sessions: { section: 'sessions', left: 'ids' },
  users: { section: 'user', left: 'nothing' },
} as const

/** All other tables, and why nothing of them is exported or erased with a user. */
export const tablesAboutNoUser = {
  checkpoint_keys: 'of the deployment',
  event_batches: 'hashes, which lead to no person without the events',
  event_heads: 'of a log',
  inbox: 'only earlier versions wrote it',
  inbox_end: 'a counter',
  limit_logs: 'its ids do not reveal a person',
  operator_sessions: 'of operators',
  operators: 'of operators',
  profile_schemas: 'written by operators; a failed version names users by their ids only',
  schema_migrations: 'of the schema',
  signing_keys: 'of the deployment',
  sms_spending: 'counts a tenant’s messages',
  tenant_counts: 'counts of a tenant’s half hours',
  tenant_keys: 'of a tenant',
  tenant_origins: 'only earlier versions wrote it',
  tenant_totals: 'counts of a tenant',
  tenants: 'of a tenant',
  used_id_tokens: 'hashes that expire with their token',
}
