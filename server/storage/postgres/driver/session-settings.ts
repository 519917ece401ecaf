import type { PostgresEngine } from '../postgres-engines.ts'

/**
 * The server gives a statement up a little before its answer would be missed, so that mostly it is known that nothing
 * was done, and no lock outlives who asked for it. A COMMIT that waits for a standby is not a statement in this sense:
 * it is never given up by the server, which would call it committed.
 */
const statementShare = 0.8
/** Transactions wait for nothing but statements; one that does belongs to a process that hangs, and holds locks. */
const idleInTransactionMs = 10_000
/**
 * A statement is planned once and not for its parameters: each finds its rows by keys, whatever they are. Left to choose,
 * the server plans one again each time whose parameters now and then promise less work, which costs more than the work.
 */
const planOnce = 'SET plan_cache_mode = force_generic_plan'

/** Has statements given up so that an answer within `responseTimeoutMs` is not missed. */
export const limitStatements = (responseTimeoutMs: number): string =>
  `SET statement_timeout = ${Math.round(responseTimeoutMs * statementShare)}`

/** What the session of a connection is set to, where the engine can be told. */
export const sessionSettings = (
  { sessionTimeouts, genericPlans }: Pick<PostgresEngine, 'sessionTimeouts' | 'genericPlans'>,
  responseTimeoutMs: number,
): readonly string[] => [
  ...(sessionTimeouts
    ? [limitStatements(responseTimeoutMs), `SET idle_in_transaction_session_timeout = ${idleInTransactionMs}`]
    : []),
  ...(genericPlans ? [planOnce] : []),
]
