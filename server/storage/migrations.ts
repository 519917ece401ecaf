import { consoleMigration } from './console-migration.ts'
import { eventMigration, eventQueueMigration } from './event-migration.ts'
import { firstMigrations } from './first-migrations.ts'
import {
  column,
  dropIndex,
  fastDigests,
  guests,
  index,
  isPosted,
  type Migration,
  notices,
  partialIndex,
  table,
} from './schema-steps.ts'

/** Every migration, oldest first. Times are epoch milliseconds, booleans 0 or 1, JSON is text. */
export const migrations: readonly Migration[] = [
  ...firstMigrations,
  {
    id: '0006-identities',
    steps: [
      column('users', 'suspension TEXT'),
      column('users', 'last_active_at BIGINT', ' NOT NULL DEFAULT 0'),
      () => 'UPDATE users SET last_active_at = created_at WHERE COALESCE(last_active_at, 0) = 0',
      // Housekeeping deletes idle guests only.
      partialIndex('users_idle_guests', 'users (tenant_id, last_active_at)', guests),
      column('sessions', 'amr TEXT', ` NOT NULL DEFAULT '["pwd"]'`),
      () => `UPDATE sessions SET amr = '["pwd"]' WHERE amr IS NULL`,
      column('sessions', 'previous_refresh_hash TEXT'),
      column('sessions', 'rotated_at BIGINT'),
      table(
        'identities',
        `TENANT, id TEXT NOT NULL, user_id TEXT NOT NULL, provider TEXT NOT NULL, subject TEXT NOT NULL, email TEXT,
        created_at BIGINT NOT NULL, last_used_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, provider, subject)`,
      ),
      // It includes the provider, so that reading a user's providers reads only this index.
      index('identities_of_user', 'identities (tenant_id, user_id, provider)'),
      // Messages with a code are found through their one-time password, notices through their user.
      partialIndex('outbox_notices', 'outbox (tenant_id, user_id)', notices),
    ],
  },
  {
    id: '0007-signing-keys',
    steps: [
      column('signing_keys', 'signs_from BIGINT', ' NOT NULL DEFAULT 0'),
      column('signing_keys', 'retired_at BIGINT'),
      () => 'UPDATE signing_keys SET signs_from = created_at WHERE COALESCE(signs_from, 0) = 0',
    ],
  },
  {
    id: '0008-limits',
    steps: [
      // An id does not reveal a person. The rows belong to no tenant and are deleted when they expire.
      table(
        'limit_logs',
        'id TEXT NOT NULL PRIMARY KEY, revision TEXT NOT NULL, times TEXT NOT NULL, expires_at BIGINT NOT NULL',
      ),
      index('limit_logs_end', 'limit_logs (expires_at)'),
    ],
  },
  {
    id: '0009-used-id-tokens',
    steps: [
      table(
        'used_id_tokens',
        'TENANT, token_hash TEXT NOT NULL, expires_at BIGINT NOT NULL, PRIMARY KEY (tenant_id, token_hash)',
      ),
      index('used_id_tokens_end', 'used_id_tokens (expires_at)'),
    ],
  },
  {
    id: '0010-account-protection',
    steps: [
      // The session that requested the code, if verifying it changes the account.
      column('otps', 'session_id TEXT'),
      // Only for codes that undo a change of address: whether the account had a password before.
      column('otps', 'had_password BIGINT'),
      column('users', 'password_changed_at BIGINT'),
      // JSON: fields whose values were stored before the account's address was first verified.
      column('profiles', 'unproven_fields TEXT'),
    ],
  },
  {
    id: '0011-fast-digests',
    steps: [
      // Holds only imported users whose digest is not wrapped yet, so it is empty most of the time.
      partialIndex('users_fast_digests', 'users (tenant_id, id)', fastDigests, 'users (password_hash, tenant_id, id)'),
    ],
  },
  {
    id: '0012-testing-channel',
    steps: [
      // An entry of the testing channel's inbox is the message itself: docs/decisions/0037-messages-sent-by-their-issuer.md.
      column('outbox', 'place BIGINT'),
      column('outbox', 'posted_to TEXT'),
      column('outbox', 'sealed TEXT'),
      () =>
        `UPDATE outbox SET
           place = (SELECT place FROM inbox WHERE inbox.tenant_id = outbox.tenant_id AND inbox.id = outbox.id),
           posted_to = (SELECT recipient FROM inbox WHERE inbox.tenant_id = outbox.tenant_id AND inbox.id = outbox.id),
           sealed = (SELECT sealed FROM inbox WHERE inbox.tenant_id = outbox.tenant_id AND inbox.id = outbox.id)
         WHERE EXISTS (SELECT 1 FROM inbox WHERE inbox.tenant_id = outbox.tenant_id AND inbox.id = outbox.id)`,
      () =>
        `INSERT INTO outbox (tenant_id, id, otp_id, scope, delivery_method, posted_to, sealed, settled_at, place,
           kind, recipient, decoy, state, attempts, created_at, expires_at)
         SELECT tenant_id, id, otp_id, scope, delivery_method, recipient, sealed, created_at, place,
           'test', '', 0, 'sent', 0, created_at, created_at FROM inbox
         WHERE NOT EXISTS (SELECT 1 FROM outbox WHERE outbox.tenant_id = inbox.tenant_id AND outbox.id = inbox.id)`,
      // Empty from now on; a process of the previous version still writes it during a rolling restart.
      () => 'DELETE FROM inbox',
      // Appended. It includes the recipient, so that a search by recipient reads only this index.
      partialIndex('outbox_posted', 'outbox (place, posted_to)', isPosted),
      // The id leads because it is known without the tenant, and because ids rise: new entries are appended.
      dropIndex('outbox_of_otp'),
      index('outbox_by_otp', 'outbox (otp_id, tenant_id)'),
    ],
  },
  {
    id: '0013-idempotency-keys',
    steps: [
      // No foreign key: the answer of creating a tenant belongs to the deployment, and a process of the previous version
      // can erase a tenant whose answers it does not know. They expire within a day.
      table(
        'idempotency_keys',
        `tenant_id TEXT NOT NULL, id TEXT NOT NULL, subject_id TEXT, sealed TEXT NOT NULL, expires_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, id)`,
      ),
      index('idempotency_keys_of_subject', 'idempotency_keys (tenant_id, subject_id)'),
      index('idempotency_keys_end', 'idempotency_keys (expires_at)'),
    ],
  },
  {
    id: '0014-profile-fields',
    steps: [
      // The values of unique fields, hashed, with their owners.
      table(
        'profile_unique',
        `TENANT, field TEXT NOT NULL, value_hash TEXT NOT NULL, user_id TEXT NOT NULL,
        PRIMARY KEY (tenant_id, field, value_hash)`,
      ),
      index('profile_unique_of_user', 'profile_unique (tenant_id, user_id)'),
      // The values of searchable fields in a form that sorts like the values.
      table(
        'profile_search',
        `TENANT, field TEXT NOT NULL, value TEXT NOT NULL, user_id TEXT NOT NULL,
        PRIMARY KEY (tenant_id, field, value, user_id)`,
      ),
      // It includes field and value, so that checking further conditions of a search reads only this index.
      index('profile_search_of_user', 'profile_search (tenant_id, user_id, field, value)'),
      // The version, by its ordinal, that was building when the two tables got the profile's values.
      column('profiles', 'indexed_ordinal BIGINT'),
      index('profiles_by_version', 'profiles (tenant_id, schema_version)'),
      // NULL for a version that is or was current; 'building', 'failed'.
      column('profile_schemas', 'state TEXT'),
      // JSON: the names of its unique and searchable fields in the two tables.
      column('profile_schemas', 'index_keys TEXT'),
      column('profile_schemas', 'published_by TEXT'),
      // JSON: users with equal values, of a version that failed.
      column('profile_schemas', 'conflicts TEXT'),
      // The version that becomes current when its unique and searchable fields are indexed.
      column('tenants', 'building_version TEXT'),
      // When a sign-in last named a form to complete.
      column('users', 'form_prompted_at BIGINT'),
    ],
  },
  {
    id: '0015-operators',
    steps: [
      table(
        'operators',
        `id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, email TEXT, secret_hash TEXT NOT NULL, previous_hash TEXT,
        previous_until BIGINT, scopes TEXT NOT NULL, tenant_ids TEXT, created_by TEXT NOT NULL,
        created_at BIGINT NOT NULL, expires_at BIGINT, revoked_at BIGINT, last_used_at BIGINT`,
      ),
      // An id is the SHA-256 of the cookie. The root key's sessions have the operator `root` and a keyed hash of that key.
      table(
        'operator_sessions',
        `id TEXT NOT NULL PRIMARY KEY, operator_id TEXT NOT NULL, root_hash TEXT, created_at BIGINT NOT NULL,
        last_used_at BIGINT NOT NULL, ends_at BIGINT NOT NULL, network TEXT NOT NULL, user_agent TEXT`,
      ),
      index('operator_sessions_of_operator', 'operator_sessions (operator_id)'),
      index('operator_sessions_end', 'operator_sessions (ends_at)'),
    ],
  },
  eventMigration,
  consoleMigration,
  {
    id: '0018-outbox-depth',
    steps: [
      // It includes what the metrics count, so that a scrape reads only this index.
      partialIndex('outbox_waiting', 'outbox (due_at, state, created_at)', 'due_at IS NOT NULL', 'outbox (due_at)'),
      dropIndex('outbox_due'),
    ],
  },
  eventQueueMigration,
  {
    id: '0020-undo-codes',
    steps: [
      // Only for codes that undo a change of address: when that address had been verified.
      column('otps', 'address_verified_at BIGINT'),
      // Codes to sign in that were requested before are refused.
      column('users', 'codes_valid_from BIGINT'),
    ],
  },
]
