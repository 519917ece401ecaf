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

/**
 * Every column of a table whose rows outlive their user. `erase-user.ts` empties those of `erased`; what stays tells nothing
 * about a person. For a new column, decide on it here and in `export-account.ts`.
 */
export const columnsOfRowsLeft: Readonly<Record<string, { readonly left: string; readonly erased: string }>> = {
  event_erasures: { left: 'tenant_id user_id erased_at', erased: '' },
  events: {
    left: `tenant_id sequence id batch at type actor_kind actor_id subject_kind subject_id outcome request_id public
      commitment`,
    erased: 'personal',
  },
  otps: {
    // A code is deleted when it can no longer be verified, as those of a deleted user.
    left: `tenant_id id scope state user_id session_id decoy delivery_method locale sealed_code resend_interval_seconds
      max_resends max_verify_attempts resend_count wrong_codes created_at expires_at last_sent_at verified_at consumed_at
      had_password address_verified_at`,
    erased: 'recipient',
  },
  outbox: {
    // The last two are the testing channel's, which production does not have.
    left: `tenant_id id kind otp_id scope user_id delivery_method decoy locale state attempts due_at lease_owner last_error
      sender created_at expires_at settled_at place posted_to sealed`,
    erased: 'recipient',
  },
  sessions: {
    left: `tenant_id id user_id refresh_hash previous_refresh_hash rotated_at amr created_at last_used_at idle_expires_at
      expires_at revoked_at`,
    erased: 'user_agent address',
  },
}

/**
 * Every column of `users`, with the members that show it in `GET /account/export` and in the export of the tenant's users,
 * which an import reads; null where it is not shown.
 */
export const columnsOfUsers: Readonly<
  Record<string, { readonly account: string | null; readonly tenant: string | null }>
> = {
  tenant_id: { account: null, tenant: null },
  id: { account: 'id', tenant: 'id' },
  email: { account: 'email', tenant: 'email' },
  email_verified_at: { account: 'emailVerifiedAt', tenant: 'emailVerified' },
  phone: { account: 'phone', tenant: 'phone' },
  phone_verified_at: { account: 'phoneVerifiedAt', tenant: 'phoneVerified' },
  password_hash: { account: null, tenant: 'passwordHash' },
  password_changed_at: { account: 'passwordChangedAt', tenant: null },
  codes_valid_from: { account: 'codesValidFrom', tenant: null },
  form_prompted_at: { account: 'formPromptedAt', tenant: null },
  guest: { account: 'guest', tenant: 'guest' },
  restricted_capabilities: { account: 'restrictions', tenant: 'restrictions' },
  suspension: { account: 'suspension', tenant: 'suspension' },
  last_active_at: { account: 'lastActiveAt', tenant: 'lastActiveAt' },
  created_at: { account: 'createdAt', tenant: 'createdAt' },
  updated_at: { account: 'updatedAt', tenant: null },
}

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
