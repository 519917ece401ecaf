import type { PostgresConnection } from './connection.ts'

/** The role every tenant-bound transaction takes on. It owns nothing, so row-level security holds for it. */
export const tenantRole = 'tenantry_tenant'

const makeRole = `DO $$ BEGIN
  CREATE ROLE ${tenantRole} NOLOGIN NOINHERIT;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$`

/** Tables that have a tenant's rows, with the column that says whose they are. */
const tenantTables = `SELECT table_name, CASE table_name WHEN 'tenants' THEN 'id' ELSE 'tenant_id' END AS tenant
  FROM information_schema.columns
  WHERE table_schema = current_schema()
    AND (column_name = 'tenant_id' OR (table_name = 'tenants' AND column_name = 'id'))`

const policies = `SELECT tablename, policyname FROM pg_policies WHERE schemaname = current_schema()`

/**
 * Has the database hold tenants apart as well: forced row-level security on every table of tenants, a policy that shows
 * the tenant's role one tenant's rows, and one that leaves the system's own statements, which run as the owner, all of
 * them. Done again it changes nothing; part of each migration, so that no new table is without.
 */
export async function separateTenants(connection: PostgresConnection): Promise<void> {
  await connection.execute(makeRole)
  await connection.execute(`GRANT ${tenantRole} TO CURRENT_USER`)
  const known = new Set((await connection.execute(policies)).rows.map((row) => `${row.tablename} ${row.policyname}`))
  for (const { table_name: table, tenant } of (await connection.execute(tenantTables)).rows) {
    if (known.has(`${table} tenant`)) continue
    const own = `${tenant} = current_setting('tenantry.tenant_id', true)`
    await connection.execute(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${tenantRole}`)
    await connection.execute(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`)
    await connection.execute(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`)
    await connection.execute(`CREATE POLICY tenant ON ${table} TO ${tenantRole} USING (${own}) WITH CHECK (${own})`)
    await connection.execute(`CREATE POLICY system ON ${table} TO CURRENT_USER USING (true) WITH CHECK (true)`)
  }
}
