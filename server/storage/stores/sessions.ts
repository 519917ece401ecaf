import type { Session, SessionStore } from '../../accounts/session.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'

const add = statement(
  'session.add',
  `INSERT INTO sessions (tenant_id, id, user_id, refresh_hash, user_agent, address, created_at, last_used_at,
     idle_expires_at, expires_at, revoked_at)
   VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
)

const revokeAllOf = statement(
  'session.revokeAllOf',
  'UPDATE sessions SET revoked_at = $3 WHERE tenant_id = $1 AND user_id = $2 AND revoked_at IS NULL',
)

/** One tenant's sessions in any SQL database; the gate reads them. */
export class SqlSessionStore implements SessionStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  add(session: Session, refreshHash: string, device: { userAgent: string | null; address: string }): Promise<void> {
    return this.#executor.write(async (sql) => {
      await sql.run(
        add,
        this.#tenantId,
        session.id,
        session.userId,
        refreshHash,
        device.userAgent,
        device.address,
        session.createdAt,
        session.lastUsedAt,
        session.idleExpiresAt,
        session.expiresAt,
        session.revokedAt,
      )
    })
  }

  revokeAllOf(userId: string, now: number): Promise<void> {
    return this.#executor.write(async (sql) => {
      await sql.run(revokeAllOf, this.#tenantId, userId, now)
    })
  }
}
