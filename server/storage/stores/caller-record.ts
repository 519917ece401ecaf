import type { Session } from '../../accounts/sessions/session.ts'
import type { User } from '../../accounts/user.ts'
import { LruCache } from '../../core/lru-cache.ts'
import type { Tenant, TenantKey } from '../../tenants/tenant.ts'
import type { Row } from '../columns.ts'
import type { Executor, Sql } from '../database.ts'
import { systemStatement } from '../statement.ts'
import type { CallerRecord } from '../storage.ts'
import { sessions } from './sessions.ts'
import { tenantKeys } from './tenant-keys.ts'
import { tenantDeletions, tenants } from './tenants.ts'
import { users } from './user-columns.ts'

type Caller = TenantKey & Tenant & Pick<CallerRecord, 'deletedAt'> & Session & User

const tenantOf = systemStatement<{ tenant_id: string }>(
  'caller.tenantOf',
  'SELECT tenant_id FROM tenant_keys WHERE id = $1',
)

/** Where the columns of each table begin in a row. */
const tenantAt = tenantKeys.width
const deletionAt = tenantAt + tenants.width
const sessionAt = deletionAt + tenantDeletions.width
const userAt = sessionAt + sessions.width

const ofKey = `${tenantKeys.of('k')}, ${tenants.of('t')}, ${tenantDeletions.of('t')}`
const recordByKey = systemStatement(
  'caller.key',
  `SELECT ${ofKey} FROM tenant_keys k JOIN tenants t ON t.id = k.tenant_id WHERE k.tenant_id = $1 AND k.id = $2`,
  { read: toCallerRecord },
)
const recordBySession = systemStatement(
  'caller.session',
  `SELECT ${ofKey}, ${sessions.of('s')}, ${users.of('u')}
   FROM tenant_keys k
   JOIN tenants t ON t.id = k.tenant_id
   LEFT JOIN sessions s ON s.tenant_id = k.tenant_id AND s.id = $3
   LEFT JOIN users u ON u.tenant_id = k.tenant_id AND u.id = s.user_id
   WHERE k.tenant_id = $1 AND k.id = $2`,
  { read: toCallerRecord },
)

/** The number of keys whose tenants are cached; the oldest entry is evicted first. */
const mostRemembered = 50_000

/**
 * Finds key, tenant, session and user in one statement. A key never changes its tenant, so each process reads its
 * tenant once and caches it. From then on the statement names the tenant, and a distributed database answers it from
 * one shard.
 */
export class CallerRecords {
  readonly #executor: Executor
  readonly #tenants = new LruCache<string>(mostRemembered)
  /** Lookups of this turn of the event loop. */
  readonly #unsent = new Map<string, Promise<CallerRecord | null>>()

  constructor(executor: Executor) {
    this.#executor = executor
  }

  /**
   * Null for an unknown key. Callers with the same key and session in one turn of the event loop share a lookup until it
   * is sent, so each sees everything that was committed before it asked.
   */
  find(keyId: string, sessionId: string | null): Promise<CallerRecord | null> {
    const caller = JSON.stringify([keyId, sessionId])
    const unsent = this.#unsent.get(caller)
    if (unsent !== undefined) return unsent
    if (this.#unsent.size === 0) setImmediate(() => this.#unsent.clear())
    const lookup = this.#executor.read((sql) => {
      this.#unsent.delete(caller)
      return this.#lookUp(sql, keyId, sessionId)
    })
    this.#unsent.set(caller, lookup)
    return lookup
  }

  async #lookUp(sql: Sql, keyId: string, sessionId: string | null): Promise<CallerRecord | null> {
    const known = this.#tenants.peek(keyId)
    const tenantId = known ?? (await sql.row(tenantOf, keyId))?.tenant_id
    if (tenantId === undefined) return null
    const row = await (sessionId === null
      ? sql.row(recordByKey, tenantId, keyId)
      : sql.row(recordBySession, tenantId, keyId, sessionId))
    if (row === null) this.#tenants.delete(keyId)
    else if (known === undefined) this.#tenants.set(keyId, tenantId)
    return row && toCallerRecord(row)
  }
}

/** The outer joins yield nulls without a session or user. Without a requested session the values are missing. */
function toCallerRecord(row: Row<Caller>): CallerRecord {
  return {
    key: tenantKeys.read(row),
    tenant: tenants.read(row, tenantAt),
    deletedAt: tenantDeletions.read(row, deletionAt).deletedAt,
    session: (row[sessionAt] ?? null) === null ? null : sessions.read(row, sessionAt),
    user: (row[userAt] ?? null) === null ? null : users.read(row, userAt),
  }
}
