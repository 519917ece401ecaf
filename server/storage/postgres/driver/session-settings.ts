/** The session settings that an engine accepts. Distributed engines lack some of them. */
export interface SessionSupport {
  /** Whether a session can set timeouts, ask for warnings and durable commits, and report whether its server accepts writes. */
  readonly sessionTimeouts: boolean
  /** Whether a session can ask for generic plans. */
  readonly genericPlans: boolean
  /** Whether a session can ask that policies hide rows, rather than make statements fail. */
  readonly rowSecurity: boolean
}

/** PostgreSQL accepts all of them. */
export const postgresqlSession: SessionSupport = { sessionTimeouts: true, genericPlans: true, rowSecurity: true }

/**
 * The share of the response timeout that the server gives a statement. The server cancels a slow statement before the
 * client gives up, so the client usually knows that nothing was done, and no lock outlives the client. A COMMIT that waits
 * for a synchronous standby is not cancelled by a statement timeout.
 */
const statementShare = 0.8
/** Transactions only ever wait for their own statements. An idle one belongs to a hung process, and holds locks. */
const idleInTransactionMs = 10_000
/**
 * Every statement finds its rows by key, so one generic plan fits all parameters. By default the server would plan again
 * whenever some parameters look cheaper than the generic plan, which costs more than running the statement.
 */
const forceGenericPlans = 'SET plan_cache_mode = force_generic_plan'

/** A lock is waited for as long as its statement may take, also where the role or the database has a shorter timeout. */
const waitForLocks = 'SET lock_timeout = 0'

/** The other timeouts bound a transaction, and a migration may take hours. PostgreSQL 16 and earlier do not have it. */
const unlimitedTransactions =
  "SELECT set_config('transaction_timeout', '0', false) WHERE current_setting('transaction_timeout', true) IS NOT NULL"

/**
 * A COMMIT that did not reach the synchronous standby comes with a warning. A role or a database may have set `error`, which
 * hides it.
 */
const showWarnings = 'SET client_min_messages = warning'

/**
 * With `off`, PostgreSQL answers COMMIT before the write is on the disk, and a crash loses acknowledged writes. Other values
 * choose what a standby must have, and stay.
 */
const awaitDurability =
  "SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'"

/** SQL that sets the statement timeout for a response timeout. */
export const setStatementTimeout = (responseTimeoutMs: number): string =>
  `SET statement_timeout = ${Math.round(responseTimeoutMs * statementShare)}`

/** SQL that prepares the session of a new connection. */
export const sessionSettings = (
  { sessionTimeouts, genericPlans, rowSecurity }: SessionSupport,
  responseTimeoutMs: number,
): readonly string[] => [
  ...(sessionTimeouts
    ? [
        setStatementTimeout(responseTimeoutMs),
        `SET idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
        waitForLocks,
        unlimitedTransactions,
        showWarnings,
        awaitDurability,
      ]
    : []),
  ...(genericPlans ? [forceGenericPlans] : []),
  // The default, unless the role or the database has another.
  ...(rowSecurity ? ['SET row_security = on'] : []),
]
