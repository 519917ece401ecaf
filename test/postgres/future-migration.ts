import type { Migration } from '../../server/storage/schema-steps.ts'

const tables = [
  ...['tenants', 'tenant_keys', 'tenant_origins', 'profile_schemas', 'users', 'sessions', 'signing_keys', 'otps'],
  ...['outbox', 'sms_spending', 'inbox', 'profiles', 'identities', 'limit_logs', 'used_id_tokens'],
]

/**
 * One of a version to come: a table more, and of every table a column more. Between the two it takes so many seconds.
 */
export const futureMigration = (seconds = 0): Migration => ({
  id: '9999-later',
  steps: [
    () => 'CREATE TABLE later (tenant_id TEXT NOT NULL PRIMARY KEY)',
    () => `SELECT pg_sleep(${seconds})`,
    ...tables.map((table) => () => `ALTER TABLE ${table} ADD COLUMN later TEXT NOT NULL DEFAULT ''`),
  ],
})
