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
  unsent,
} from './schema-steps.ts'

/** Every migration, oldest first. Times are epoch milliseconds, booleans 0 or 1, JSON is text. */
export const migrations: readonly Migration[] = [
  {
    id: '0001-tenants',
    steps: [
      table(
        'tenants',
        `id TEXT NOT NULL PRIMARY KEY, name TEXT NOT NULL, suspended INTEGER NOT NULL,
        restricted_capabilities TEXT NOT NULL, revision BIGINT NOT NULL, modules TEXT,
        profile_schema_version TEXT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL, deleted_at BIGINT`,
      ),
      index('tenants_deleted', 'tenants (deleted_at)'),
      // The id leads the primary key because a key is looked up before its tenant is known. Every primary key contains
      // the tenant, so that a distributed database can shard by it.
      table(
        'tenant_keys',
        `TENANT, id TEXT NOT NULL, name TEXT NOT NULL, kind TEXT NOT NULL, secret_hash TEXT NOT NULL,
        created_at BIGINT NOT NULL, expires_at BIGINT, revoked_at BIGINT, last_used_at BIGINT,
        PRIMARY KEY (id, tenant_id)`,
      ),
      index('tenant_keys_of_tenant', 'tenant_keys (tenant_id, id)'),
      table('tenant_origins', 'TENANT, origin TEXT NOT NULL, PRIMARY KEY (tenant_id, origin)'),
      index('tenant_origins_origin', 'tenant_origins (origin)'),
      table(
        'profile_schemas',
        `TENANT, version TEXT NOT NULL, ordinal BIGINT NOT NULL, content TEXT NOT NULL, published_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, version), UNIQUE (tenant_id, ordinal)`,
      ),
    ],
  },
  {
    id: '0002-accounts',
    steps: [
      table(
        'users',
        `TENANT, id TEXT NOT NULL, email TEXT, email_verified_at BIGINT, phone TEXT, phone_verified_at BIGINT,
        password_hash TEXT, guest INTEGER NOT NULL, restricted_capabilities TEXT NOT NULL,
        created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, email), UNIQUE (tenant_id, phone)`,
      ),
      // No foreign key to users: a session outlives its user, so that its token yields TOKEN_USER_NOT_FOUND.
      table(
        'sessions',
        `TENANT, id TEXT NOT NULL, user_id TEXT NOT NULL, refresh_hash TEXT NOT NULL, user_agent TEXT,
        address TEXT NOT NULL, created_at BIGINT NOT NULL, last_used_at BIGINT NOT NULL,
        idle_expires_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, revoked_at BIGINT,
        PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, refresh_hash)`,
      ),
      index('sessions_of_user', 'sessions (tenant_id, user_id)'),
      index('sessions_end', 'sessions (expires_at)'),
      // Processes that start at once all create a first key; the unique ordinal lets one of them store it.
      table(
        'signing_keys',
        `kid TEXT NOT NULL PRIMARY KEY, ordinal BIGINT NOT NULL UNIQUE, public_jwk TEXT NOT NULL,
        sealed_private_jwk TEXT NOT NULL, created_at BIGINT NOT NULL`,
      ),
    ],
  },
  {
    id: '0003-otps',
    steps: [
      table(
        'otps',
        `TENANT, id TEXT NOT NULL, scope TEXT NOT NULL, state TEXT NOT NULL, user_id TEXT, decoy INTEGER NOT NULL,
        delivery_method TEXT NOT NULL, recipient TEXT NOT NULL, locale TEXT, sealed_code TEXT,
        resend_interval_seconds INTEGER NOT NULL, max_resends INTEGER NOT NULL, max_verify_attempts INTEGER NOT NULL,
        resend_count INTEGER NOT NULL, wrong_codes INTEGER NOT NULL, created_at BIGINT NOT NULL,
        expires_at BIGINT NOT NULL, last_sent_at BIGINT NOT NULL, verified_at BIGINT, consumed_at BIGINT,
        PRIMARY KEY (tenant_id, id),
        CHECK (state IN ('pending', 'verified', 'consumed', 'locked', 'cancelled')),
        CHECK (state = 'pending' OR sealed_code IS NULL),
        CHECK (resend_count BETWEEN 0 AND max_resends),
        CHECK (wrong_codes BETWEEN 0 AND max_verify_attempts)`,
      ),
      index('otps_of_user', 'otps (tenant_id, user_id)'),
      index('otps_end', 'otps (expires_at)'),
    ],
  },
  {
    id: '0004-delivery',
    steps: [
      // due_at: when a worker may claim it. A queued message is due at its next attempt, one being sent when its lease
      // ends. The id leads the key because messages are added and purged in that order.
      table(
        'outbox',
        `TENANT, id TEXT NOT NULL, kind TEXT NOT NULL, otp_id TEXT, scope TEXT, user_id TEXT,
        delivery_method TEXT NOT NULL, recipient TEXT NOT NULL, decoy INTEGER NOT NULL, locale TEXT,
        state TEXT NOT NULL, attempts INTEGER NOT NULL, due_at BIGINT, lease_owner TEXT, last_error TEXT, sender TEXT,
        created_at BIGINT NOT NULL, expires_at BIGINT NOT NULL, settled_at BIGINT,
        PRIMARY KEY (id, tenant_id),
        CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'cancelled')),
        CHECK ((due_at IS NULL) = (state IN ('sent', 'failed', 'cancelled')))`,
      ),
      // Only messages that are still to be sent.
      partialIndex('outbox_due', 'outbox (due_at)', 'due_at IS NOT NULL'),
      index('outbox_of_otp', 'outbox (tenant_id, otp_id)'),
      // For the operator's list. New messages are appended. It includes the recipient so that a search by recipient
      // reads only this index; an index by recipient would cost a page write per message.
      index('outbox_of_tenant', 'outbox (tenant_id, id, recipient)'),
      // Operators mostly look for unsent messages, which are few.
      partialIndex('outbox_unsent', 'outbox (tenant_id, id)', unsent, 'outbox (tenant_id, state, id)'),
      table('sms_spending', 'TENANT, day TEXT NOT NULL, sent BIGINT NOT NULL, PRIMARY KEY (tenant_id, day)'),
      table(
        'inbox',
        `TENANT, place BIGINT NOT NULL, id TEXT NOT NULL, otp_id TEXT, scope TEXT, delivery_method TEXT NOT NULL,
        recipient TEXT NOT NULL, sealed TEXT NOT NULL, created_at BIGINT NOT NULL,
        PRIMARY KEY (place, tenant_id), UNIQUE (tenant_id, id)`,
      ),
      index('inbox_of_otp', 'inbox (otp_id, place)'),
      index('inbox_of_recipient', 'inbox (recipient, place)'),
      // One row holds the last place assigned. Taking places locks it, so places rise in the order of commits.
      table('inbox_end', 'id INTEGER NOT NULL PRIMARY KEY CHECK (id = 1), place BIGINT NOT NULL'),
      () => 'INSERT INTO inbox_end (id, place) VALUES (1, 0)',
    ],
  },
  {
    id: '0005-profiles',
    steps: [
      table(
        'profiles',
        `TENANT, id TEXT NOT NULL, user_id TEXT NOT NULL, schema_version TEXT NOT NULL, content TEXT NOT NULL,
        revision BIGINT NOT NULL, created_at BIGINT NOT NULL, updated_at BIGINT NOT NULL,
        PRIMARY KEY (tenant_id, id), UNIQUE (tenant_id, user_id)`,
      ),
    ],
  },
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
]
