import type { InboxEntry } from '../../delivery/inbox.ts'
import type { AttemptResult, ClaimedMessage, ClaimRequest, Outbox, OutboxDepth } from '../../delivery/outbox.ts'
import type { Row } from '../columns.ts'
import type { Awaitable, Executor, Sql } from '../database.ts'
import { firstRows } from '../first-rows.ts'
import { type Statement, systemStatement } from '../statement.ts'
import { effectWithEvent, recordable } from './event-queue.ts'
import { takePlaces } from './inbox.ts'
import { byId, claimedMessages } from './outbox-columns.ts'

/** The first due messages of all tenants. `leftOut` lists lanes between bars; ids contain no % or _. */
export const dueSql = (now: string, batch: string, leftOut: string) =>
  firstRows(
    `SELECT tenant_id, id FROM outbox
       WHERE due_at <= ${now} AND ${leftOut} NOT LIKE '%|' || tenant_id || ' ' || delivery_method || '|%'
       ORDER BY due_at`,
    batch,
  )

/** Every claim returns these columns. */
export const claimed = claimedMessages('outbox.tenant_id', '$1')
export const claimSql = (isDue: string, [now, owner, leaseUntil] = ['$1', '$2', '$3'], tenant = 'outbox.tenant_id') =>
  `UPDATE outbox SET state = 'sending', attempts = attempts + 1, lease_owner = ${owner}, due_at = ${leaseUntil}
   WHERE ${isDue}
   RETURNING ${claimedMessages(tenant, now).columns}`
const claim = systemStatement(
  'outbox.claim',
  claimSql(`due_at <= $1 AND (tenant_id, id) IN (${dueSql('$1', '$4', '$5')})`),
  claimed,
)

/** Only while the owner holds the lease. */
const held = `tenant_id = $1 AND id = $2 AND lease_owner = $3 AND state = 'sending'`

const readAgain = systemStatement(
  'outbox.readAgain',
  `SELECT ${claimedMessages('$1', '$4').columns} FROM outbox WHERE ${held}`,
  claimed,
)

const finished = 'state = $4, last_error = $5, settled_at = $6, sender = $7, due_at = NULL, lease_owner = NULL'
// Separate statements, because assigning the recipient makes the engine rewrite an index entry.
const finishing = (name: string, assigned: string) => ({
  keep: systemStatement(`outbox.${name}`, `UPDATE outbox SET ${assigned} WHERE ${held}`),
  forget: systemStatement(`outbox.${name}AndForget`, `UPDATE outbox SET ${assigned}, recipient = '' WHERE ${held}`),
})
const finish = finishing('finish', finished)
for (const statement of Object.values(finish)) recordable(statement)
/** The testing channel's message becomes an entry of its inbox. */
const post = finishing('post', `${finished}, place = $8, posted_to = recipient, sealed = $9`)

const retry = systemStatement(
  'outbox.retry',
  `UPDATE outbox SET state = 'queued', last_error = $4, due_at = $5, lease_owner = NULL WHERE ${held}`,
)

const releaseAll = systemStatement(
  'outbox.releaseAll',
  `UPDATE outbox SET state = 'queued', due_at = $1, lease_owner = NULL
   WHERE due_at IS NOT NULL AND state = 'sending'`,
)

/** The index of waiting messages contains all that it reads: with rows and groups it blocks SQLite for 10 ms. */
const depth = systemStatement<{ messages: number; sending: number; oldest: number | null }>(
  'outbox.depth',
  `SELECT COUNT(*) AS messages, COUNT(CASE WHEN state = 'sending' THEN 1 END) AS sending, MIN(created_at) AS oldest
   FROM (SELECT state, created_at FROM outbox WHERE due_at IS NOT NULL ORDER BY due_at LIMIT $1) AS waiting`,
)

/** Leases due messages to the owner, inside the owner's transaction. */
export type Claim = (sql: Sql, request: ClaimRequest) => Promise<readonly Row<ClaimedMessage>[]>

/** A claim in one statement: $1 is now, $2 the owner, $3 the end of the lease, $4 the batch, $5 the lanes left out. */
export const claimBy =
  (statement: Statement<Row<ClaimedMessage>>): Claim =>
  async (sql, { now, owner, leaseUntil, batch, leaveOut }) =>
    sql.rows(statement, now, owner, leaseUntil, batch, leftOut(leaveOut))

/** Lanes in the form that `dueSql` expects. */
export const leftOut = (lanes: readonly string[] = []): string => `|${lanes.join('|')}|`

/** The outbox of all tenants in any SQL database. */
export class SqlOutbox implements Outbox {
  readonly #executor: Executor
  readonly #posted: (entries: readonly InboxEntry[]) => void
  readonly #claim: Claim

  /**
   * @param posted called with new inbox entries once they are stored
   * @param claiming how the engine keeps concurrent claims apart
   */
  constructor(executor: Executor, posted: (entries: readonly InboxEntry[]) => void, claiming = claimBy(claim)) {
    this.#claim = claiming
    this.#executor = executor
    this.#posted = posted
  }

  async recordAndClaim(results: readonly AttemptResult[], request: ClaimRequest): Promise<ClaimedMessage[]> {
    const entries = results.flatMap((result) => (result.state === 'sent' ? (result.inboxEntry ?? []) : []))
    const claimed = await this.#recordAndClaim(results, entries.length, request)
    if (entries.length > 0) this.#posted(entries)
    return claimed
  }

  #recordAndClaim(
    results: readonly AttemptResult[],
    entries: number,
    request: ClaimRequest,
  ): Promise<ClaimedMessage[]> {
    return this.#executor.write(async (sql) => {
      let place = entries === 0 ? 0 : await takePlaces(sql, entries)
      const nextPlace = () => place++
      // Not awaited one by one: an engine may send them together.
      const recorded = results.toSorted(byId).map((result) => record(sql, result, request, nextPlace))
      const claiming = request.batch === 0 ? [] : this.#claim(sql, request)
      const [rows] = await Promise.all([claiming, ...recorded])
      return claimed.readAll(rows).sort((a, b) => a.createdAt - b.createdAt)
    })
  }

  readAgain(
    { tenantId, id }: Pick<ClaimedMessage, 'tenantId' | 'id'>,
    owner: string,
    now: number,
  ): Promise<ClaimedMessage | null> {
    return this.#executor.read(async (sql) => {
      const row = await sql.row(readAgain, tenantId, id, owner, now)
      return row && claimed.read(row)
    })
  }

  async releaseAll(now: number): Promise<number> {
    return (await this.#executor.effect(releaseAll, now)).changes
  }

  depth(most: number): Promise<OutboxDepth> {
    return this.#executor.read(async (sql) => {
      const { messages = 0, sending = 0, oldest = null } = (await sql.row(depth, most)) ?? {}
      return { queued: messages - sending, sending, oldest }
    })
  }
}

/** Records the result of the owner's attempt. */
function record(
  sql: Sql & Executor,
  result: AttemptResult,
  { owner, now }: ClaimRequest,
  nextPlace: () => number,
): Awaitable<unknown> {
  const { tenantId, id, state, forgetRecipient } = result
  if (state === 'queued') return sql.run(retry, tenantId, id, owner, result.error, result.retryAt)
  const recipient = forgetRecipient ? 'forget' : 'keep'
  const error = state === 'failed' ? result.error : null
  const sender = state === 'sent' ? (result.sender ?? null) : null
  const settled = [tenantId, id, owner, state, error, now, sender] as const
  if (state === 'failed') return effectWithEvent(sql, result.event ?? null, finish[recipient], ...settled)
  if (state !== 'sent' || result.inboxEntry === undefined) return sql.run(finish[recipient], ...settled)
  return sql.run(post[recipient], ...settled, nextPlace(), result.inboxEntry.sealed)
}
