import { column, index, type Migration, partialIndex, table, userStates } from './schema-steps.ts'

/** What the console's lists and statistics read. */
export const consoleMigration: Migration = {
  id: '0017-console',
  steps: [
    // For the operator's list of users by state, in the order of ids. An engine without partial indexes filters the
    // tenant's users in that order: a suspension's reason is too long for the key of an index.
    partialIndex('users_suspended', 'users (tenant_id, id)', userStates.suspended),
    partialIndex('users_restricted', 'users (tenant_id, id)', userStates.restricted),
    partialIndex('users_guests', 'users (tenant_id, id)', userStates.guest, 'users (tenant_id, guest, id)'),
    partialIndex(
      'users_unverified',
      'users (tenant_id, id)',
      userStates.unverified,
      'users (tenant_id, guest, email_verified_at, phone_verified_at, id)',
    ),
    // No foreign keys: the deployment's own counts have the tenant `deployment`, and a process of the previous version can
    // erase a tenant whose counts it does not know. `at` is the start of a half hour.
    table(
      'tenant_counts',
      `tenant_id TEXT NOT NULL, at BIGINT NOT NULL, sign_ups BIGINT NOT NULL, sign_ins BIGINT NOT NULL,
      codes BIGINT NOT NULL, resets BIGINT NOT NULL, messages_sent BIGINT NOT NULL, messages_failed BIGINT NOT NULL,
      PRIMARY KEY (tenant_id, at)`,
    ),
    index('tenant_counts_by_time', 'tenant_counts (at, tenant_id)'),
    // What a tenant has now. Housekeeping counts the rows again when `recount_at` is reached.
    table(
      'tenant_totals',
      `tenant_id TEXT NOT NULL, users BIGINT NOT NULL, guests BIGINT NOT NULL, suspended BIGINT NOT NULL,
      open_sessions BIGINT NOT NULL, counted_at BIGINT NOT NULL, recount_at BIGINT NOT NULL, PRIMARY KEY (tenant_id)`,
    ),
    index('tenant_totals_due', 'tenant_totals (recount_at, tenant_id)'),
    // The name in the form that a search compares; null until a process of this version has filled it.
    column('tenants', 'search_name TEXT'),
    index('tenants_by_name', 'tenants (search_name, id)'),
  ],
}
