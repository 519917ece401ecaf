/** The role every tenant-bound transaction takes on. It owns nothing, so row-level security holds for it. */
export const tenantRole = 'tenantry_tenant'

const makeRole = `DO $$ BEGIN
  CREATE ROLE ${tenantRole} NOLOGIN NOINHERIT;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL;
END $$`

/**
 * Whether there is the role, and whether this user was given it by somebody else: then the user need not be able to give
 * it, and since PostgreSQL 16 mostly is not.
 */
const roleAsGiven = `SELECT pg_has_role(oid, 'MEMBER') AND NOT pg_has_role(oid, 'MEMBER WITH ADMIN OPTION') AS given
  FROM pg_roles WHERE rolname = '${tenantRole}'`

/** Tables that have a tenant's rows, with the column that says whose they are. */
const tenantTables = `SELECT table_name, CASE table_name WHEN 'tenants' THEN 'id' ELSE 'tenant_id' END AS tenant
  FROM information_schema.columns
  WHERE table_schema = current_schema()
    AND (column_name = 'tenant_id' OR (table_name = 'tenants' AND column_name = 'id'))`

const policies = `SELECT tablename, policyname FROM pg_policies WHERE schemaname = current_schema()`

type Execute = (sql: string) => Promise<readonly Record<string, unknown>[]>

/**
 * Has the database hold tenants apart as well: forced row-level security on every table of tenants, a policy that shows
 * the tenant's role one tenant's rows, and one that leaves the system's own statements, which run as the owner, all of
 * them. Done again it changes nothing; part of each migration, so that no new table is without.
 * @param execute answers with the rows; passes over what is there already
 */
export async function enableRowLevelSecurity(execute: Execute): Promise<void> {
  await provideRole(execute)
  const known = new Set((await execute(policies)).map((row) => `${row['tablename']} ${row['policyname']}`))
  for (const { table_name: table, tenant } of await execute(tenantTables)) {
    if (known.has(`${table} tenant`)) continue
    const own = `${tenant} = current_setting('tenantry.tenant_id', true)`
    await execute(`GRANT SELECT, INSERT, UPDATE, DELETE ON ${table} TO ${tenantRole}`)
    await execute(`CREATE POLICY system ON ${table} TO CURRENT_USER USING (true) WITH CHECK (true)`)
    await execute(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`)
    await execute(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`)
    // The last: where it is, all of it is.
    await execute(`CREATE POLICY tenant ON ${table} TO ${tenantRole} USING (${own}) WITH CHECK (${own})`)
  }
}

/** Makes the role and gives it to this user, as far as that was not done. Throws in plain words where it may not. */
async function provideRole(execute: Execute): Promise<void> {
  try {
    const [role] = await execute(roleAsGiven)
    if (role === undefined) await execute(makeRole)
    if (role?.['given'] !== true) await execute(`GRANT ${tenantRole} TO CURRENT_USER`)
  } catch (error) {
    const { code, message } = error as { code?: string; message?: string }
    if (code !== insufficientPrivilege) throw error
    throw new Error(
      `Row-level security needs the role ${tenantRole}, which this user may not make or give to itself (${message}). ` +
        `Have a superuser run "CREATE ROLE ${tenantRole} NOLOGIN NOINHERIT", if there is none, and "GRANT ${tenantRole} ` +
        'TO <this user>"; or set TENANTRY_ROW_LEVEL_SECURITY=off.',
      { cause: error },
    )
  }
}

const insufficientPrivilege = '42501'
