import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { backUp } from '../../server/maintenance/backup.ts'
import { useSource } from '../../server/maintenance/use-tables.ts'
import { dumpFile, openTestStorage } from '../../server/storage/sqlite/open-storage.testkit.ts'
import { eraseTenant } from '../../server/tenants/erase-deleted-tenants.ts'

/**
 * Every table of the schema, and what becomes of its rows when their tenant is deleted. For a new table, decide on it
 * here, in `tenantTables` of `erase.ts`, and in `tables-about-users.ts` for a user's deletion and export.
 */
const tables: Readonly<Record<string, 'erased' | 'of no tenant'>> = {
  checkpoint_keys: 'of no tenant',
  event_batches: 'erased',
  event_erasures: 'erased',
  event_heads: 'erased',
  event_queue: 'erased',
  events: 'erased',
  idempotency_keys: 'erased',
  identities: 'erased',
  inbox: 'erased',
  inbox_end: 'of no tenant',
  limit_logs: 'of no tenant',
  operator_sessions: 'of no tenant',
  operators: 'of no tenant',
  otps: 'erased',
  outbox: 'erased',
  profile_schemas: 'erased',
  profile_search: 'erased',
  profile_unique: 'erased',
  profiles: 'erased',
  schema_migrations: 'of no tenant',
  sessions: 'erased',
  signing_keys: 'of no tenant',
  sms_spending: 'erased',
  tenant_counts: 'erased',
  tenant_keys: 'erased',
  tenant_origins: 'erased',
  tenant_totals: 'erased',
  tenants: 'erased',
  used_id_tokens: 'erased',
  users: 'erased',
}

let opened: Awaited<ReturnType<typeof openTestStorage>>
before(async () => {
  opened = await openTestStorage()
  using database = new DatabaseSync(opened.path, { enableForeignKeyConstraints: false })
  database.exec('PRAGMA ignore_check_constraints = ON')
  for (const table of Object.keys(dumpFile(opened.path))) addRow(database, table)
})
after(() => opened.close())

/** Stores a row of a deleted tenant, whatever the table's columns are. */
function addRow(database: DatabaseSync, table: string): void {
  const columns = database.prepare(`SELECT name, type FROM pragma_table_info('${table}')`).all()
  if (!columns.some(({ name }) => name === tenantColumn(table))) return
  const values = columns.map(({ name, type }) => (name === tenantColumn(table) ? 'T' : type === 'TEXT' ? '[]' : 1))
  const marks = columns.map(() => '?').join(', ')
  database.prepare(`INSERT INTO ${table} VALUES (${marks})`).run(...values)
}

const tenantColumn = (table: string) => (table === 'tenants' ? 'id' : 'tenant_id')
const rowsOfTenants = () =>
  Object.entries(dumpFile(opened.path)).flatMap(([table, rows]) =>
    rows.some((row) => row[tenantColumn(table)] === 'T') ? [table] : [],
  )
const erased = Object.keys(tables).filter((table) => tables[table] === 'erased')

test('every table is listed', () => {
  assert.deepEqual(Object.keys(dumpFile(opened.path)), Object.keys(tables), 'list each table in this file')
  assert.deepEqual(rowsOfTenants(), erased, 'rows with a tenant_id are erased with their tenant: list them so')
})

test('a copy to another database and a backup contain every table', async () => {
  const place = { engine: 'sqlite', path: opened.path } as const
  const copied = await useSource(place, (database) => database.tables())
  // The target's migrations create the tables of the schema's own state.
  assert.deepEqual([...copied.map(({ name }) => name), 'schema_migrations'].sort(), Object.keys(tables))
  const backup = join(opened.path, '../backup.db')
  await backUp(place, backup)
  assert.deepEqual(dumpFile(backup), dumpFile(opened.path))
})

test('erasing a tenant leaves no row of any table', async () => {
  const add = 'add each table to tenantTables in server/storage/stores/erase.ts'
  // Rows that are left refer to their tenant, which is then not deleted.
  await assert.doesNotReject(eraseTenant(opened.storage.system.tenants, 'T', 3), add)
  assert.deepEqual(rowsOfTenants(), [], add)
})
