import { signingKeyContext } from '../accounts/sessions/load-signing-keys.ts'
import { answerContext } from '../core/idempotency.ts'
import { senderSecretContext } from '../delivery/sender-secrets.ts'
import { inboxContext } from '../delivery/testing-channel.ts'
import { checkpointKeyContext } from '../events/checkpoint-keys.ts'
import { codeContext, type StoredOtpScope } from '../otp/otp.ts'
import type { Executor, Parameter, Sql } from '../storage/database.ts'
import { type Statement, systemStatement } from '../storage/statement.ts'
import { senderSecretsKey } from '../tenants/tenant-configuration.ts'

/** An encrypted text with its additional data. */
export interface SealedText {
  readonly sealed: string
  readonly context: readonly string[]
}

/** A row with encrypted texts. */
export interface SealedRow {
  readonly kind: SealedKindName
  readonly texts: readonly SealedText[]
  /** Replaces the texts; returns false if the row has changed since it was read. */
  replace(executor: Executor, texts: readonly string[]): Promise<boolean>
}

/** The names of all encrypted kinds of data. */
export type SealedKindName =
  | 'signing keys'
  | 'checkpoint keys'
  | 'codes'
  | 'testing channel messages'
  | 'sender secrets'
  | 'kept answers'

/** How to find the texts of one kind. */
interface SealedKind<Row> {
  readonly name: SealedKindName
  /** A key before every row. */
  readonly start: readonly Parameter[]
  /** Selects up to $n rows after the key in the preceding parameters; with `usesTime`, $(n-1) is the time. */
  readonly list: Statement<Row>
  readonly usesTime?: true
  readonly keyOf: (row: Row) => readonly Parameter[]
  readonly textsOf: (row: Row) => readonly SealedText[]
  /** A guarded update of a row that has not changed since it was read. */
  readonly swap: Statement
  readonly swapWith: (row: Row, texts: readonly string[]) => readonly Parameter[]
}

interface PrivateKeyRow {
  kid: string
  sealed: string
}

const privateKeys = (
  name: SealedKindName,
  table: string,
  contextOf: (kid: string) => readonly string[],
): SealedKind<PrivateKeyRow> => ({
  name,
  start: [''],
  list: systemStatement(
    `maintenance.list_${table}`,
    `SELECT kid, sealed_private_jwk AS sealed FROM ${table} WHERE kid > $1 ORDER BY kid LIMIT $2`,
  ),
  keyOf: ({ kid }) => [kid],
  textsOf: ({ kid, sealed }) => [{ sealed, context: contextOf(kid) }],
  swap: systemStatement(
    `maintenance.reseal_${table}`,
    `UPDATE ${table} SET sealed_private_jwk = $3 WHERE kid = $1 AND sealed_private_jwk = $2`,
  ),
  swapWith: ({ kid, sealed }, [text]) => [kid, sealed, text!],
})

const signingKeys = privateKeys('signing keys', 'signing_keys', signingKeyContext)
const checkpointKeys = privateKeys('checkpoint keys', 'checkpoint_keys', checkpointKeyContext)

interface CodeRow {
  tenant_id: string
  id: string
  scope: StoredOtpScope
  recipient: string
  sealed: string
}

const codes: SealedKind<CodeRow> = {
  name: 'codes',
  start: ['', ''],
  // The code of an expired OTP is never decrypted again, only purged.
  list: systemStatement(
    'maintenance.codes',
    `SELECT tenant_id, id, scope, recipient, sealed_code AS sealed FROM otps
     WHERE (tenant_id, id) > ($1, $2) AND sealed_code IS NOT NULL AND expires_at > $3 ORDER BY tenant_id, id LIMIT $4`,
  ),
  usesTime: true,
  keyOf: (row) => [row.tenant_id, row.id],
  textsOf: ({ tenant_id, id, scope, recipient, sealed }) => [
    { sealed, context: codeContext(tenant_id, id, scope, recipient) },
  ],
  swap: systemStatement(
    'maintenance.resealCode',
    'UPDATE otps SET sealed_code = $4 WHERE tenant_id = $1 AND id = $2 AND sealed_code = $3',
  ),
  swapWith: ({ tenant_id, id, sealed }, [text]) => [tenant_id, id, sealed, text!],
}

interface MessageRow {
  place: number
  tenant_id: string
  id: string
  sealed: string
}

const messages: SealedKind<MessageRow> = {
  name: 'testing channel messages',
  start: [0],
  list: systemStatement(
    'maintenance.messages',
    'SELECT place, tenant_id, id, sealed FROM outbox WHERE place > $1 ORDER BY place LIMIT $2',
  ),
  keyOf: ({ place }) => [place],
  textsOf: ({ tenant_id, id, sealed }) => [{ sealed, context: inboxContext({ tenantId: tenant_id, id }) }],
  swap: systemStatement(
    'maintenance.resealMessage',
    'UPDATE outbox SET sealed = $4 WHERE tenant_id = $1 AND id = $2 AND sealed = $3',
  ),
  swapWith: ({ tenant_id, id, sealed }, [text]) => [tenant_id, id, sealed, text!],
}

interface ModulesRow {
  id: string
  modules: string
}

const secretsOf = ({ modules }: ModulesRow): Readonly<Record<string, string>> =>
  JSON.parse(modules)[senderSecretsKey] ?? {}

const senderSecrets: SealedKind<ModulesRow> = {
  name: 'sender secrets',
  start: [''],
  list: systemStatement(
    'maintenance.modules',
    'SELECT id, modules FROM tenants WHERE id > $1 AND modules IS NOT NULL ORDER BY id LIMIT $2',
  ),
  keyOf: ({ id }) => [id],
  textsOf: (row) =>
    Object.entries(secretsOf(row)).map(([place, sealed]) => ({ sealed, context: senderSecretContext(row.id, place) })),
  // Increments the revision, so that a concurrent update cannot store the old texts again.
  swap: systemStatement(
    'maintenance.resealModules',
    'UPDATE tenants SET modules = $3, revision = revision + 1 WHERE id = $1 AND modules = $2',
  ),
  swapWith(row, texts) {
    const places = Object.keys(secretsOf(row))
    const resealed = Object.fromEntries(places.map((place, index) => [place, texts[index]]))
    return [row.id, row.modules, JSON.stringify({ ...JSON.parse(row.modules), [senderSecretsKey]: resealed })]
  },
}

interface AnswerRow {
  tenant_id: string
  id: string
  sealed: string
}

const answers: SealedKind<AnswerRow> = {
  name: 'kept answers',
  start: ['', ''],
  // An expired answer is never decrypted again, only purged.
  list: systemStatement(
    'maintenance.answers',
    `SELECT tenant_id, id, sealed FROM idempotency_keys
     WHERE (tenant_id, id) > ($1, $2) AND expires_at > $3 ORDER BY tenant_id, id LIMIT $4`,
  ),
  usesTime: true,
  keyOf: (row) => [row.tenant_id, row.id],
  textsOf: ({ tenant_id, id, sealed }) => [{ sealed, context: answerContext(tenant_id, id) }],
  swap: systemStatement(
    'maintenance.resealAnswer',
    'UPDATE idempotency_keys SET sealed = $4 WHERE tenant_id = $1 AND id = $2 AND sealed = $3',
  ),
  swapWith: ({ tenant_id, id, sealed }, [text]) => [tenant_id, id, sealed, text!],
}

/** Small, because the modules of a tenant can have 1 MiB. */
const batchRows = 100

/** All rows with encrypted texts still in use at `now` (epoch milliseconds), in batches. */
export async function* sealedRows(executor: Executor, now: number): AsyncGenerator<readonly SealedRow[]> {
  yield* rowsOf(executor, now, signingKeys)
  yield* rowsOf(executor, now, checkpointKeys)
  yield* rowsOf(executor, now, codes)
  yield* rowsOf(executor, now, messages)
  yield* rowsOf(executor, now, senderSecrets)
  yield* rowsOf(executor, now, answers)
}

async function* rowsOf<Row>(
  executor: Executor,
  now: number,
  kind: SealedKind<Row>,
): AsyncGenerator<readonly SealedRow[]> {
  let after = kind.start
  for (;;) {
    const parameters = [...after, ...(kind.usesTime ? [now] : []), batchRows]
    const rows = await executor.read(async (sql: Sql) => sql.rows(kind.list, ...parameters))
    if (rows.length === 0) return
    yield rows.map((row) => sealedRowOf(kind, row)).filter(({ texts }) => texts.length > 0)
    after = kind.keyOf(rows.at(-1)!)
  }
}

function sealedRowOf<Row>(kind: SealedKind<Row>, row: Row): SealedRow {
  return {
    kind: kind.name,
    texts: kind.textsOf(row),
    async replace(executor, texts) {
      return (await executor.effect(kind.swap, ...kind.swapWith(row, texts))).changes === 1
    },
  }
}
