import type { Migration } from '../../server/storage/schema-steps.ts'

const tables = [
  ...['tenants', 'tenant_keys', 'tenant_origins', 'profile_schemas', 'users', 'sessions', 'signing_keys', 'otps'],
  ...['outbox', 'sms_spending', 'inbox', 'profiles', 'identities', 'limit_logs', 'used_id_tokens', 'idempotency_keys'],
]

/** A migration of a future version. It adds a table, sleeps for this many seconds, and adds a column to every table. */
export const futureMigration = (seconds = 0): Migration => ({
  id: '9999-future',
  steps: [
    () => 'CREATE TABLE future (tenant_id TEXT NOT NULL PRIMARY KEY)',
    () => `SELECT pg_sleep(${seconds})`,
    ...tables.map((table) => () => `ALTER TABLE ${table} ADD COLUMN future TEXT NOT NULL DEFAULT ''`),
  ],
})
