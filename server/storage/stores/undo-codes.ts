import type { RecoveredAddress, UndoCodeStore, UndoCodes } from '../../otp/undo-codes.ts'
import type { Executor } from '../database.ts'
import { statement } from '../statement.ts'
import { live, recoveryScope } from './otps.ts'

const ofUser = `tenant_id = $1 AND user_id = $2 AND scope = '${recoveryScope}'`

const cancel = statement(
  'undoCode.cancel',
  `UPDATE otps SET state = 'cancelled', sealed_code = NULL
   WHERE ${ofUser} AND ${live} AND expires_at > $4
     AND created_at >= $3 AND (address_verified_at IS NULL OR address_verified_at >= $5)`,
)
const cancelYounger = statement(
  'undoCode.cancelYounger',
  `UPDATE otps SET state = 'cancelled', sealed_code = NULL
   WHERE ${ofUser} AND ${live} AND expires_at > $4 AND address_verified_at > $3`,
)
const lostAddress = statement<{ at: number | null }>(
  'undoCode.lostAddressVerifiedAt',
  `SELECT MIN(address_verified_at) AS at FROM otps WHERE ${ofUser} AND recipient = $3 AND expires_at > $4`,
)
const restoresAnother = statement<{ id: string }>(
  'undoCode.canRestoreAnother',
  `SELECT id FROM otps WHERE ${ofUser} AND state = 'pending' AND expires_at > $4 AND recipient <> $3 LIMIT 1`,
)

const unproven = statement<{ id: string }>(
  'undoCode.isUnproven',
  `SELECT id FROM otps WHERE ${ofUser} AND recipient = $3 AND state = 'consumed' AND consumed_at > $4
     AND NOT EXISTS (SELECT 1 FROM otps proof
       WHERE proof.tenant_id = $1 AND proof.user_id = $2 AND proof.recipient IN ($3, $6)
         AND proof.scope = 'otp_signin'
         AND proof.state = 'consumed' AND proof.session_id = $5)
   LIMIT 1`,
)
const recoveredSince = statement<{ id: string }>(
  'undoCode.isRecoveredSince',
  `SELECT id FROM otps WHERE tenant_id = $1 AND user_id = $2 AND scope IN ('${recoveryScope}', 'reset_password')
     AND recipient = $3 AND state = 'consumed' AND consumed_at > $4 AND consumed_at <= $5 LIMIT 1`,
)

/** One tenant's undo codes in any SQL database. */
export class SqlUndoCodeStore implements UndoCodeStore {
  readonly #executor: Executor
  readonly #tenantId: string

  constructor(executor: Executor, tenantId: string) {
    this.#executor = executor
    this.#tenantId = tenantId
  }

  async cancel(userId: string, { madeSince, notOlderThan }: UndoCodes, now: number): Promise<void> {
    await this.#executor.effect(cancel, this.#tenantId, userId, madeSince, now, notOlderThan)
  }

  async cancelYounger(userId: string, verifiedAt: number, now: number): Promise<void> {
    await this.#executor.effect(cancelYounger, this.#tenantId, userId, verifiedAt, now)
  }

  lostAddressVerifiedAt(userId: string, recipient: string, now: number): Promise<number | null> {
    return this.#executor.read(
      async (sql) => (await sql.row(lostAddress, this.#tenantId, userId, recipient, now))?.at ?? null,
    )
  }

  canRestoreAnother(userId: string, recipient: string, now: number): Promise<boolean> {
    return this.#executor.read(
      async (sql) => (await sql.row(restoresAnother, this.#tenantId, userId, recipient, now)) !== null,
    )
  }

  isUnproven(
    { userId, recipient, since }: RecoveredAddress,
    { sessionId, older }: { readonly sessionId: string; readonly older: string | null },
  ): Promise<boolean> {
    const given = [this.#tenantId, userId, recipient, since, sessionId, older ?? recipient]
    return this.#executor.read(async (sql) => (await sql.row(unproven, ...given)) !== null)
  }

  isRecoveredSince({
    userId,
    recipient,
    since,
    until,
  }: Parameters<UndoCodeStore['isRecoveredSince']>[0]): Promise<boolean> {
    return this.#executor.read(
      async (sql) => (await sql.row(recoveredSince, this.#tenantId, userId, recipient, since, until)) !== null,
    )
  }
}
