import type { Rows } from './filled-database.ts'

export const tenantId = '01SEEDTENANT00000000000000'
const then = 1_767_225_600_000

/** Of how many users one is in each state. */
const oneIn = { suspended: 1_000, restricted: 500, guest: 20, unverified: 5 } as const

/** The id of a user; ids rise with the numbers of users. */
export const idOf = (index: number) => `01SEED${String(index).padStart(20, '0')}`

/**
 * SQL that fills an empty database with one tenant and users in every state. Ids rise; the addresses do not rise with them.
 */
export const userRows =
  (users: number): Rows =>
  (engine) => {
    const numbers =
      engine === 'sqlite'
        ? `(WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i + 1 < ${users}) SELECT i FROM n) AS n`
        : `(SELECT CAST(generate_series(0, ${users - 1}) AS BIGINT) AS i) AS n`
    const padded = (length: number) =>
      engine === 'sqlite' ? `printf('%0${length}d', i)` : `lpad(CAST(i AS TEXT), ${length}, '0')`
    const isGuest = `i % ${oneIn.guest} = 0`
    const each = (state: keyof typeof oneIn, then: string, otherwise: string) =>
      `CASE WHEN i % ${oneIn[state]} = 1 THEN ${then} ELSE ${otherwise} END`
    return [
      `INSERT INTO tenants (id, name, suspended, restricted_capabilities, revision, modules, profile_schema_version, created_at, updated_at)
     VALUES ('${tenantId}', 'Users', 0, '[]', 1, '{}', '1', ${then}, ${then})`,
      `INSERT INTO profile_schemas (tenant_id, version, ordinal, content, published_at)
     VALUES ('${tenantId}', '1', 1, '{"version":"1","components":[],"presentation":[],"forms":{},"migrations":[]}', ${then})`,
      `INSERT INTO users (tenant_id, id, email, email_verified_at, phone, guest, suspension, restricted_capabilities,
       created_at, updated_at, last_active_at)
     SELECT '${tenantId}', '01SEED' || ${padded(20)},
       CASE WHEN ${isGuest} THEN NULL ELSE 'user' || ((i * 7919) % ${users}) || '@example.com' END,
       CASE WHEN ${isGuest} THEN NULL ELSE ${each('unverified', 'NULL', String(then))} END,
       '+33' || ${padded(9)}, CASE WHEN ${isGuest} THEN 1 ELSE 0 END,
       ${each('suspended', `'{"reason":null,"until":null}'`, 'NULL')},
       ${each('restricted', `'[{"capability":"upload","reason":null,"until":null}]'`, `'[]'`)},
       ${then}, ${then}, ${then}
     FROM ${numbers}`,
    ]
  }
