import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { migrations } from './migrations.ts'
import { type SchemaDialect, stepsOn } from './schema-steps.ts'

/** Databases have run these. One that has run a migration never runs what is added to it later. */
const digests: Record<string, string> = {
  '0001-tenants': '1b2425bb8189d7b3',
  '0002-accounts': '223e2e4b2fe40123',
  '0003-otps': '53e9f4c9e76c7b4a',
  '0004-delivery': 'b40b49ab2870344a',
  '0005-profiles': '341cba372c790c96',
  '0006-identities': '067003d48017af5f',
  '0007-signing-keys': 'b118612a36284ef0',
  '0008-limits': 'ff2d0d502f7d0134',
  '0009-used-id-tokens': '9bb0f4e3fde34f85',
  '0010-account-protection': 'cbff2ff6326c4696',
  '0011-fast-digests': '83d2d1bd94b65a63',
  '0012-testing-channel': '1713b536eb56c04e',
  '0013-idempotency-keys': '7a1b1ba4e383ab31',
  '0014-profile-fields': '45f0cf288d73e272',
  '0015-operators': 'f2d48563acf9ed0c',
  '0016-events': '6af682fdf7864b1c',
  '0017-console': 'a9a97ef838671a98',
  '0018-outbox-depth': '6ff759702dd3a16f',
  '0019-event-queue-by-row-id': '6bea107ee9f851bb',
  '0020-undo-codes': '9f9717fb8e23f5ed',
}

const dialect: SchemaDialect = {
  bigint: 'BIGINT',
  text: 'TEXT',
  tableOptions: '',
  tenantReference: '',
  createIndex: 'CREATE INDEX',
  partialIndexes: true,
  rowIds: true,
  columnConstraints: true,
}

test('the ids of migrations are unique and in order', () => {
  const ids = migrations.map(({ id }) => id)
  assert.deepEqual(ids, [...new Set(ids)].sort(), 'give the new migration the next number and list it last')
})

test('no migration has changed', () => {
  for (const migration of migrations) {
    const digest = hash('sha256', JSON.stringify(stepsOn(dialect, migration))).slice(0, 16)
    const line = `'${migration.id}': '${digest}'`
    assert.ok(migration.id in digests, `record the new migration in this file: ${line}`)
    assert.equal(
      digest,
      digests[migration.id],
      `${migration.id} has changed; databases that have run it do not run it again. Add a new migration instead`,
    )
  }
})
