import { index, type Migration, partialIndex, table, unsent } from './schema-steps.ts'

/** The migrations of the first release; `migrations.ts` has the later ones. */
export const firstMigrations: readonly Migration[] = [
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
]
