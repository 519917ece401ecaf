import type { PostgresConnection } from './driver/connection.ts'
import { ownTables } from './own-tables.ts'

/** The role that every transaction of a tenant switches to. It owns nothing, so row-level security applies to it. */
export const tenantRole = 'tenantry_tenant'

const createRole = `DO $$ BEGIN
  CREATE ROLE ${tenantRole} NOLOGIN NOINHERIT;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$`

/**
 * Whether the role exists, and whether another user granted it to this one. Then this user need not be able to grant the
 * role, and since PostgreSQL 16 usually is not.
 */
const roleGrant = `SELECT pg_has_role(oid, 'MEMBER') AND NOT pg_has_role(oid, 'MEMBER WITH ADMIN OPTION') AS granted
  FROM pg_roles WHERE rolname = '${tenantRole}'`

/** The tables that hold tenants' rows, each with the column of the tenant's id. */
const tenantTables = `SELECT table_name, CASE table_name WHEN 'tenants' THEN 'id' ELSE 'tenant_id' END AS tenant
  FROM information_schema.columns
  WHERE table_schema = current_schema() AND table_name IN (${ownTables})
    AND (column_name = 'tenant_id' OR (table_name = 'tenants' AND column_name = 'id'))`

/** The schema, where the tenant role may not use it: not every database lets all roles use `public`. */
const closedSchema = `SELECT quote_ident(current_schema()) AS name
  WHERE NOT has_schema_privilege('${tenantRole}', current_schema(), 'USAGE')`

const policies = `SELECT tablename, policyname FROM pg_policies WHERE schemaname = current_schema()`

/**
 * What the tenant role may do with a table, where that is less than with others: events change only when a person is
 * erased. The owner seals and purges them, and counts.
 */
const privileges: Readonly<Record<string, string>> = {
  event_queue: 'SELECT, INSERT, UPDATE (personal)',
  events: 'SELECT, UPDATE (personal)',
  event_batches: 'SELECT',
  event_heads: 'SELECT',
  event_erasures: 'SELECT, INSERT, DELETE',
  tenant_counts: 'SELECT',
  tenant_totals: 'SELECT',
}
const everyPrivilege = 'SELECT, INSERT, UPDATE, DELETE'

type Execute = (sql: string) => Promise<readonly Record<string, unknown>[]>

/**
 * Makes the database enforce tenant isolation: every table with tenants' rows gets forced row-level security, a policy
 * that shows the tenant role one tenant's rows, and a policy that shows the owner, who runs system statements, all rows.
 * Idempotent, and part of each migration, so no new table is left out.
 * @param execute returns rows; ignores objects that exist already
 */
export async function enableRowLevelSecurity(execute: Execute): Promise<void> {
  await provideRole(execute)
  const [schema] = await execute(closedSchema)
  if (schema !== undefined) await execute(`GRANT USAGE ON SCHEMA ${schema['name']} TO ${tenantRole}`)
  const known = new Set((await execute(policies)).map((row) => `${row['tablename']} ${row['policyname']}`))
  for (const { table_name: table, tenant } of await execute(tenantTables)) {
    if (known.has(`${table} tenant`)) continue
    const own = `${tenant} = current_setting('tenantry.tenant_id', true)`
    await execute(`GRANT ${privileges[String(table)] ?? everyPrivilege} ON ${table} TO ${tenantRole}`)
    await execute(`CREATE POLICY system ON ${table} TO CURRENT_USER USING (true) WITH CHECK (true)`)
    await execute(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`)
    await execute(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`)
    // Comes last: a table that has it is complete, even if an earlier run was interrupted.
    await execute(`CREATE POLICY tenant ON ${table} TO ${tenantRole} USING (${own}) WITH CHECK (${own})`)
  }
}

/** Creates the role and grants it to this user, unless that is done already. */
async function provideRole(execute: Execute): Promise<void> {
  try {
    const [role] = await execute(roleGrant)
    if (role === undefined) await execute(createRole)
    if (role?.['granted'] !== true) await execute(`GRANT ${tenantRole} TO CURRENT_USER`)
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string }
    if (code !== insufficientPrivilege) throw error
    throw new Error(
      `Row-level security needs the role ${tenantRole}, which this user cannot create or grant to itself (${message}). ` +
        `As a superuser, run "CREATE ROLE ${tenantRole} NOLOGIN NOINHERIT" if the role does not exist, and ` +
        `"GRANT ${tenantRole} TO <this user>"; or set TENANTRY_ROW_LEVEL_SECURITY=off.`,
      { cause: error },
    )
  }
}

const insufficientPrivilege = '42501'

/** A table whose rows row-level security hides from the current user: the owner's policy does not apply to that user. */
const hiddenTable = `SELECT tables.relname AS name FROM pg_class tables
  WHERE tables.relname IN (${ownTables}) AND tables.relnamespace = current_schema()::regnamespace
    AND row_security_active(tables.oid)
    AND NOT EXISTS (SELECT 1 FROM pg_policies policies WHERE policies.schemaname = current_schema()
      AND policies.tablename = tables.relname AND policies.policyname = 'system'
      AND current_user = ANY (policies.roles))
  LIMIT 1`

/** Rejects a user that row-level security would silently hide rows from. */
export async function refuseHiddenRows(connection: PostgresConnection): Promise<void> {
  const [table] = (await connection.execute(hiddenTable)).rows
  if (table === undefined) return
  throw new Error(`Row-level security hides rows of ${table.name}. Connect as the user that migrated the database.`)
}

const memberOfRole = `SELECT oid FROM pg_roles WHERE rolname = '${tenantRole}' AND pg_has_role(oid, 'MEMBER')`

/** A table that was migrated without row-level security: the tenant role may not use it. */
const openTable = `${tenantTables} AND table_name NOT IN (SELECT tablename FROM pg_policies
  WHERE schemaname = current_schema() AND policyname = 'tenant') LIMIT 1`

/** Rejects a user and a database with which every statement of a tenant would fail. */
export async function requireRowLevelSecurity(connection: PostgresConnection): Promise<void> {
  const action = 'Run "tenantry migrate" first, or set TENANTRY_ROW_LEVEL_SECURITY=off.'
  const [role] = (await connection.execute(memberOfRole)).rows
  if (role === undefined)
    throw new Error(`Row-level security needs the role ${tenantRole}, which this user does not have. ${action}`)
  const [table] = (await connection.execute(openTable)).rows
  if (table !== undefined) throw new Error(`Row-level security is not enabled on ${table.table_name}. ${action}`)
  await requireVisibleTables(connection)
}

/** A search_path with `$user` names a schema of the user, and no longer does after the switch to the tenant role. */
async function requireVisibleTables(connection: PostgresConnection): Promise<void> {
  const found = "SELECT to_regclass('tenants')::oid AS tenants, quote_ident(current_schema()) AS schema"
  const [own] = (await connection.execute(found)).rows
  await connection.execute('BEGIN')
  try {
    await connection.execute(`SELECT set_config('role', '${tenantRole}', true)`)
    if ((await connection.execute(found)).rows[0].tenants === own.tenants) return
  } finally {
    await connection.rollBack()
  }
  throw new Error(
    `Row-level security needs a schema that the role ${tenantRole} finds and may use. As its owner, run ` +
      `"GRANT USAGE ON SCHEMA ${own.schema} TO ${tenantRole}" and "ALTER ROLE <this user> SET search_path = ${own.schema}".`,
  )
}
