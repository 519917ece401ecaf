import type {
  ClaimedMessage,
  ClaimRequest,
  InboxEntry,
  MessageKind,
  Outbox,
  OutboxDepth,
  Settled,
} from '../../delivery/message.ts'
import type { Executor } from '../database.ts'
import { type Statement, systemStatement } from '../statement.ts'
import { addInboxEntries } from './inbox.ts'

/** A row of the outbox, claimed. */
export interface ClaimedRow {
  tenant_id: string
  id: string
  kind: MessageKind
  otp_id: string | null
  scope: ClaimedMessage['scope']
  user_id: string | null
  delivery_method: ClaimedMessage['deliveryMethod']
  recipient: string
  decoy: number
  locale: string | null
  attempts: number
  created_at: number
  expires_at: number
  sealed_code: string | null
}

/** What is due first. $2 now, $4 batch, $5 lanes left out between bars; ids have no % or _. */
export const dueSql = `SELECT tenant_id, id FROM outbox
       WHERE due_at <= $2 AND $5 NOT LIKE '%|' || tenant_id || ' ' || delivery_method || '|%'
       ORDER BY due_at LIMIT $4`

/** $1 owner, $3 end of the lease. The code comes along only while it may still be sent. */
export const claimSql = (isDue = `due_at <= $2 AND (tenant_id, id) IN (${dueSql})`) =>
  `UPDATE outbox SET state = 'sending', attempts = attempts + 1, lease_owner = $1, due_at = $3
   WHERE ${isDue}
   RETURNING tenant_id, id, kind, otp_id, scope, user_id, delivery_method, recipient, decoy, locale,
     attempts - 1 AS attempts, created_at, expires_at,
     (SELECT otps.sealed_code FROM otps WHERE otps.tenant_id = outbox.tenant_id AND otps.id = outbox.otp_id
       AND otps.state = 'pending' AND otps.expires_at > $2) AS sealed_code`
const claim = systemStatement<ClaimedRow>('outbox.claim', claimSql())

/** Still leased to the owner; a message's id is unique by itself. */
const held = `id = $1 AND lease_owner = $2 AND state = 'sending'`

const finish = systemStatement(
  'outbox.finish',
  `UPDATE outbox SET state = $3, last_error = $4, settled_at = $5, sender = $6, due_at = NULL, lease_owner = NULL
   WHERE ${held}`,
)

const retry = systemStatement(
  'outbox.retry',
  `UPDATE outbox SET state = 'queued', last_error = $3, due_at = $4, lease_owner = NULL WHERE ${held}`,
)

const nextDue = systemStatement<{ due_at: number }>(
  'outbox.nextDue',
  'SELECT due_at FROM outbox WHERE due_at IS NOT NULL ORDER BY due_at LIMIT 1',
)

const depth = systemStatement<{ state: 'queued' | 'sending'; messages: number; oldest: number }>(
  'outbox.depth',
  `SELECT state, COUNT(*) AS messages, MIN(created_at) AS oldest
   FROM (SELECT state, created_at FROM outbox WHERE due_at IS NOT NULL ORDER BY due_at LIMIT $1) AS unsettled
   GROUP BY state`,
)

/** The outbox of all tenants in any SQL database. */
export class SqlOutbox implements Outbox {
  readonly #executor: Executor
  readonly #posted: (entries: readonly InboxEntry[]) => void
  readonly #claim: Statement<ClaimedRow>

  /**
   * @param posted told of what was put into the inbox, once it is stored
   * @param claiming `claimSql`, with what keeps claims at once out of each other's way where an engine has that
   */
  constructor(executor: Executor, posted: (entries: readonly InboxEntry[]) => void, claiming = claim) {
    this.#claim = claiming
    this.#executor = executor
    this.#posted = posted
  }

  async settleAndClaim(settled: Settled, request: ClaimRequest): Promise<ClaimedMessage[]> {
    const claimed = await this.#settleAndClaim(settled, request)
    if (settled.deliveries.length > 0) this.#posted(settled.deliveries)
    return claimed
  }

  #settleAndClaim({ settlements, deliveries }: Settled, request: ClaimRequest): Promise<ClaimedMessage[]> {
    const { owner, now, leaseUntil, batch, leaveOut = [] } = request
    return this.#executor.write(async (sql) => {
      if (deliveries.length > 0) await addInboxEntries(sql, deliveries)
      for (const settled of settlements) {
        if (settled.state === 'queued') await sql.run(retry, settled.id, owner, settled.error, settled.retryAt)
        else {
          const error = settled.state === 'failed' ? settled.error : null
          const sender = settled.state === 'sent' ? (settled.sender ?? null) : null
          await sql.run(finish, settled.id, owner, settled.state, error, now, sender)
        }
      }
      if (batch === 0) return []
      const rows = await sql.rows(this.#claim, owner, now, leaseUntil, batch, `|${leaveOut.join('|')}|`)
      return rows.map(toClaimedMessage).sort((a, b) => a.createdAt - b.createdAt)
    })
  }

  nextDue(): Promise<number | null> {
    return this.#executor.read(async (sql) => (await sql.row(nextDue))?.due_at ?? null)
  }

  depth(most: number): Promise<OutboxDepth> {
    return this.#executor.read(async (sql) => {
      const rows = await sql.rows(depth, most)
      const count = (state: string) => rows.find((row) => row.state === state)?.messages ?? 0
      const oldest = rows.length === 0 ? null : Math.min(...rows.map((row) => row.oldest))
      return { queued: count('queued'), sending: count('sending'), oldest }
    })
  }
}

const toClaimedMessage = (row: ClaimedRow): ClaimedMessage => ({
  id: row.id,
  tenantId: row.tenant_id,
  kind: row.kind,
  otpId: row.otp_id,
  scope: row.scope,
  userId: row.user_id,
  deliveryMethod: row.delivery_method,
  recipient: row.recipient,
  decoy: row.decoy === 1,
  locale: row.locale,
  attempts: row.attempts,
  createdAt: row.created_at,
  expiresAt: row.expires_at,
  sealedCode: row.sealed_code,
})
