import type { SocialProvider } from '../../../contract/tenant-configuration.ts'
import type { Session } from '../../accounts/session.ts'
import type { User } from '../../accounts/user.ts'
import type { TenantKey } from '../../tenants/tenant.ts'
import type { Sql } from '../database.ts'
import { systemArrays } from '../statement.ts'
import type { Gate } from '../storage.ts'
import { parseList, parseRestrictions, splitList } from './json-columns.ts'
import { providersOf } from './user-rows.ts'

type KeyColumns = [string, string, TenantKey['kind'], string, number, number | null, number | null, number | null]
type TenantColumns = [string, string, number, string, number, number, number, number | null]
type SessionColumns = [string | null, string, number, number, number, number, number | null]
type UserColumns = [
  ...[string | null, string | null, number | null, string | null, number | null],
  ...[number, string | null, number, string, string | null, number, number, number],
]
type GateRow = [...KeyColumns, ...TenantColumns, ...SessionColumns, ...UserColumns]

/** The key is looked up before its tenant is known; session and user only within that tenant. */
const gate = systemArrays<GateRow>(
  'gate',
  `SELECT k.id, k.name, k.kind, k.secret_hash, k.created_at, k.expires_at, k.revoked_at, k.last_used_at,
     t.id, t.name, t.suspended, t.restricted_capabilities, t.revision, t.created_at, t.updated_at, t.deleted_at,
     s.id, s.user_id, s.created_at, s.last_used_at, s.idle_expires_at, s.expires_at, s.revoked_at,
     u.id, u.email, u.email_verified_at, u.phone, u.phone_verified_at,
     CASE WHEN u.password_hash IS NULL THEN 0 ELSE 1 END, ${providersOf('u')}, u.guest, u.restricted_capabilities,
     u.suspension, u.last_active_at, u.created_at, u.updated_at
   FROM tenant_keys k
   JOIN tenants t ON t.id = k.tenant_id
   LEFT JOIN sessions s ON s.tenant_id = k.tenant_id AND s.id = $2
   LEFT JOIN users u ON u.tenant_id = k.tenant_id AND u.id = s.user_id
   WHERE k.id = $1`,
)

/** Key, tenant, session and user in one statement; null when there is no such key. */
export async function findGate(sql: Sql, keyId: string, sessionId: string | null): Promise<Gate | null> {
  const row = await sql.row(gate, keyId, sessionId)
  return row && toGate(row)
}

function toGate(row: GateRow): Gate {
  return {
    key: {
      id: row[0],
      name: row[1],
      kind: row[2],
      secretHash: row[3],
      createdAt: row[4],
      expiresAt: row[5],
      revokedAt: row[6],
      lastUsedAt: row[7],
    },
    tenant: {
      id: row[8],
      name: row[9],
      suspended: row[10] === 1,
      restrictedCapabilities: parseList(row[11]),
      revision: row[12],
      createdAt: row[13],
      updatedAt: row[14],
    },
    deletedAt: row[15],
    session: row[16] === null ? null : sessionAt(row, row[16]),
    user: row[23] === null ? null : userAt(row, row[23]),
  }
}

const sessionAt = (row: GateRow, id: string): Session => ({
  id,
  userId: row[17],
  createdAt: row[18],
  lastUsedAt: row[19],
  idleExpiresAt: row[20],
  expiresAt: row[21],
  revokedAt: row[22],
})

const userAt = (row: GateRow, id: string): User => ({
  id,
  email: row[24],
  emailVerifiedAt: row[25],
  phone: row[26],
  phoneVerifiedAt: row[27],
  hasPassword: row[28] === 1,
  providers: splitList<SocialProvider>(row[29]),
  guest: row[30] === 1,
  restrictions: parseRestrictions(row[31]),
  suspension: row[32] === null ? null : JSON.parse(row[32]),
  lastActiveAt: row[33],
  createdAt: row[34],
  updatedAt: row[35],
})
