import type { SocialProvider } from '../../../contract/tenant-configuration.ts'
import type { Session } from '../../accounts/session.ts'
import type { User } from '../../accounts/user.ts'
import type { TenantKey } from '../../tenants/tenant.ts'
import type { Executor } from '../database.ts'
import { systemArrays, systemStatement } from '../statement.ts'
import type { CallerRecord } from '../storage.ts'
import { parseList, parseRestrictions, splitList } from './json-columns.ts'
import { providersOf } from './user-rows.ts'

type KeyColumns = [string, string, TenantKey['kind'], string, number, number | null, number | null, number | null]
type TenantColumns = [string, string, number, string, number, number, number, number | null]
type SessionColumns = [string | null, string, number, number, number, number, number | null]
type UserColumns = [
  ...[string | null, string | null, number | null, string | null, number | null],
  ...[number, string | null, number, string, string | null, number, number, number],
]
type KeyRow = [...KeyColumns, ...TenantColumns]
type SessionRow = [...KeyRow, ...SessionColumns, ...UserColumns]

const tenantOf = systemStatement<{ tenant_id: string }>(
  'caller.tenantOf',
  'SELECT tenant_id FROM tenant_keys WHERE id = $1',
)

const ofKey = `k.id, k.name, k.kind, k.secret_hash, k.created_at, k.expires_at, k.revoked_at, k.last_used_at,
     t.id, t.name, t.suspended, t.restricted_capabilities, t.revision, t.created_at, t.updated_at, t.deleted_at`
const recordByKey = systemArrays<KeyRow>(
  'caller.key',
  `SELECT ${ofKey} FROM tenant_keys k JOIN tenants t ON t.id = k.tenant_id WHERE k.tenant_id = $1 AND k.id = $2`,
)
const recordBySession = systemArrays<SessionRow>(
  'caller.session',
  `SELECT ${ofKey},
     s.id, s.user_id, s.created_at, s.last_used_at, s.idle_expires_at, s.expires_at, s.revoked_at,
     u.id, u.email, u.email_verified_at, u.phone, u.phone_verified_at,
     CASE WHEN u.password_hash IS NULL THEN 0 ELSE 1 END, ${providersOf('u')}, u.guest, u.restricted_capabilities,
     u.suspension, u.last_active_at, u.created_at, u.updated_at
   FROM tenant_keys k
   JOIN tenants t ON t.id = k.tenant_id
   LEFT JOIN sessions s ON s.tenant_id = k.tenant_id AND s.id = $3
   LEFT JOIN users u ON u.tenant_id = k.tenant_id AND u.id = s.user_id
   WHERE k.tenant_id = $1 AND k.id = $2`,
)

/** Keys whose tenants are remembered; of more, those known for longest are asked for again. */
const mostRemembered = 50_000

/**
 * Finds key, tenant, session and user in one statement. A key never changes its tenant, so whose it is is asked once by
 * each process: what is asked from then on is of one tenant, and where tables are spread one machine answers it.
 */
export class CallerRecords {
  readonly #executor: Executor
  readonly #tenants = new Map<string, string>()

  constructor(executor: Executor) {
    this.#executor = executor
  }

  /** Null when there is no such key. */
  find(keyId: string, sessionId: string | null): Promise<CallerRecord | null> {
    return this.#executor.read(async (sql) => {
      const tenantId = this.#tenants.get(keyId) ?? (await sql.row(tenantOf, keyId))?.tenant_id
      if (tenantId === undefined) return null
      const row = await (sessionId === null
        ? sql.row(recordByKey, tenantId, keyId)
        : sql.row(recordBySession, tenantId, keyId, sessionId))
      if (row === null) this.#tenants.delete(keyId)
      else this.#remember(keyId, tenantId)
      return row && toCallerRecord(row)
    })
  }

  #remember(keyId: string, tenantId: string): void {
    if (this.#tenants.has(keyId)) return
    if (this.#tenants.size >= mostRemembered) this.#tenants.delete(this.#tenants.keys().next().value!)
    this.#tenants.set(keyId, tenantId)
  }
}

function toCallerRecord(row: KeyRow | SessionRow): CallerRecord {
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
    session: row.length === 16 || row[16] === null ? null : sessionAt(row, row[16]),
    user: row.length === 16 || row[23] === null ? null : userAt(row, row[23]),
  }
}

const sessionAt = (row: SessionRow, id: string): Session => ({
  id,
  userId: row[17],
  createdAt: row[18],
  lastUsedAt: row[19],
  idleExpiresAt: row[20],
  expiresAt: row[21],
  revokedAt: row[22],
})

const userAt = (row: SessionRow, id: string): User => ({
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
