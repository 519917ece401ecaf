import type { Inbox, InboxEntry, InboxFilter } from '../../delivery/message.ts'
import type { Executor, Sql } from '../database.ts'
import { systemStatement } from '../statement.ts'

interface InboxRow {
  tenant_id: string
  id: string
  otp_id: string | null
  scope: InboxEntry['scope']
  delivery_method: InboxEntry['deliveryMethod']
  recipient: string
  sealed: string
  created_at: number
}

const columns = 'tenant_id, id, otp_id, scope, delivery_method, recipient, sealed, created_at'
const latest = 'ORDER BY created_at DESC, id DESC LIMIT'
/** An optional filter; the cast tells PostgreSQL the type of a parameter that may be NULL. */
const optional = (column: string, index: number) => `(CAST($${index} AS TEXT) IS NULL OR ${column} = $${index})`

/**
 * An entry delivered twice, after a crash between sending and settling, is one entry. One of a tenant that was erased
 * while its message was on the way is none, and must not undo what is settled together with it.
 */
const add = systemStatement(
  'inbox.add',
  `INSERT INTO inbox (${columns})
   SELECT $1, $2, $3, $4, $5, $6, $7, CAST($8 AS BIGINT) FROM tenants WHERE id = $1
   ON CONFLICT (tenant_id, id) DO NOTHING`,
)

// The narrowest filter that is given picks the statement, and with it the index; the others are checked row by row.
const ofOtp = systemStatement<InboxRow>(
  'inbox.ofOtp',
  `SELECT ${columns} FROM inbox WHERE otp_id = $1 AND ${optional('recipient', 2)} AND ${optional('tenant_id', 3)}
   ${latest} $4`,
)
const ofRecipient = systemStatement<InboxRow>(
  'inbox.ofRecipient',
  `SELECT ${columns} FROM inbox WHERE recipient = $1 AND ${optional('tenant_id', 2)} ${latest} $3`,
)
const ofTenant = systemStatement<InboxRow>(
  'inbox.ofTenant',
  `SELECT ${columns} FROM inbox WHERE tenant_id = $1 ${latest} $2`,
)
const ofAll = systemStatement<InboxRow>('inbox.ofAll', `SELECT ${columns} FROM inbox ${latest} $1`)

/** Adds an entry inside the transaction that settles its message; one with a known id is left as it is. */
export async function addInboxEntry(sql: Sql, entry: InboxEntry): Promise<void> {
  await sql.run(
    add,
    entry.tenantId,
    entry.id,
    entry.otpId,
    entry.scope,
    entry.deliveryMethod,
    entry.recipient,
    entry.sealed,
    entry.createdAt,
  )
}

/** The testing channel's inbox in any SQL database. */
export class SqlInbox implements Inbox {
  readonly #executor: Executor

  constructor(executor: Executor) {
    this.#executor = executor
  }

  list(filter: InboxFilter, limit: number): Promise<InboxEntry[]> {
    const { tenantId = null, otpId = null, recipient = null } = filter
    return this.#executor.read(async (sql) => {
      const rows =
        otpId !== null
          ? await sql.rows(ofOtp, otpId, recipient, tenantId, limit)
          : recipient !== null
            ? await sql.rows(ofRecipient, recipient, tenantId, limit)
            : tenantId !== null
              ? await sql.rows(ofTenant, tenantId, limit)
              : await sql.rows(ofAll, limit)
      return rows.map(toInboxEntry).reverse()
    })
  }
}

const toInboxEntry = (row: InboxRow): InboxEntry => ({
  id: row.id,
  tenantId: row.tenant_id,
  otpId: row.otp_id,
  scope: row.scope,
  deliveryMethod: row.delivery_method,
  recipient: row.recipient,
  sealed: row.sealed,
  createdAt: row.created_at,
})
