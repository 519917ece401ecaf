import { createdAt, generatedId, numbers, padded, type Rows, tenantId, tenantRows } from './generated-rows.ts'

/** Of how many users one is in each state. */
const oneIn = { suspended: 1_000, restricted: 500, guest: 20, unverified: 5 } as const

/** One tenant with users in every state. Ids rise; the addresses do not rise with them. */
export const userRows =
  (users: number): Rows =>
  (engine) => {
    const isGuest = `i % ${oneIn.guest} = 0`
    const each = (state: keyof typeof oneIn, value: string, otherwise: string) =>
      `CASE WHEN i % ${oneIn[state]} = 1 THEN ${value} ELSE ${otherwise} END`
    return [
      ...tenantRows('Users', createdAt),
      `INSERT INTO users (tenant_id, id, email, email_verified_at, phone, guest, suspension, restricted_capabilities,
       created_at, updated_at, last_active_at)
     SELECT '${tenantId}', ${generatedId(engine, 'SEED', 'i')},
       CASE WHEN ${isGuest} THEN NULL ELSE 'user' || ((i * 7919) % ${users}) || '@example.com' END,
       CASE WHEN ${isGuest} THEN NULL ELSE ${each('unverified', 'NULL', String(createdAt))} END,
       '+33' || ${padded(engine, 'i', 9)}, CASE WHEN ${isGuest} THEN 1 ELSE 0 END,
       ${each('suspended', `'{"reason":null,"until":null}'`, 'NULL')},
       ${each('restricted', `'[{"capability":"upload","reason":null,"until":null}]'`, `'[]'`)},
       ${createdAt}, ${createdAt}, ${createdAt}
     FROM ${numbers(engine, 0, users - 1)}`,
    ]
  }
