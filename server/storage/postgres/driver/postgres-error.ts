/** What an error of the server or the socket means for the work it met. */
export type PostgresFailure =
  /** Something came between and nothing was done: the same work, run again, may succeed. */
  | 'conflict'
  /** Something of that name or value is there: made by another in the same moment, or not. */
  | 'duplicate'
  /** The connection is gone or the server takes no writes any more: another connection may do. */
  | 'connection'
  /** The server gave the statement up, for it took too long: nothing was done. */
  | 'slow'
  | 'other'

/** Every code of the server that says more than `other` (appendix A of PostgreSQL's manual). */
const kinds: Readonly<Record<string, PostgresFailure>> = {
  '40001': 'conflict', // serialization_failure
  '40P01': 'conflict', // deadlock_detected
  '26000': 'conflict', // invalid_sql_statement_name: what was to prepare it failed before
  '23505': 'duplicate', // unique_violation: of a conflict too, where transactions are serialized
  '42710': 'duplicate', // duplicate_object: of CREATE TABLE IF NOT EXISTS too, when two run at once
  '42P07': 'duplicate', // duplicate_table: likewise
  '42701': 'duplicate', // duplicate_column: of a schema change that was done before
  '25006': 'connection', // read_only_sql_transaction: a primary that was demoted
  '25P03': 'connection', // idle_in_transaction_session_timeout
  '25P04': 'connection', // transaction_timeout
  '53300': 'connection', // too_many_connections
  '57P01': 'connection', // admin_shutdown
  '57P02': 'connection', // crash_shutdown
  '57P03': 'connection', // cannot_connect_now: it starts up
  '57P05': 'connection', // idle_session_timeout
  '55P03': 'slow', // lock_not_available
  '57014': 'slow', // query_canceled: the statement timeout, mostly
}
/** The server's routine that refuses a statement whose columns have changed since it was prepared (0A000). */
const planCheck = 'RevalidateCachedQuery'
const socketErrors = /^(08...$|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/
const driverErrors = /Connection terminated|Client was closed|not queryable/

export function failureOf(error: unknown): PostgresFailure {
  const { code, message, routine } = (error ?? {}) as { code?: unknown; message?: unknown; routine?: unknown }
  if (routine === planCheck) return 'conflict'
  if (typeof code === 'string') return kinds[code] ?? (socketErrors.test(code) ? 'connection' : 'other')
  return typeof message === 'string' && driverErrors.test(message) ? 'connection' : 'other'
}

/** Whether the server said so, rather than the socket. */
export const isServerError = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity !== undefined

/** The server did not answer in time; its connection is given up. */
export class ResponseTimeout extends Error {
  override name = 'ResponseTimeout'
  readonly code = 'ETIMEDOUT'
  constructor(ms: number) {
    super(`No answer within ${ms} ms`)
  }
}

/** A standby, or a primary that was demoted. */
export class ReadOnlyServer extends Error {
  override name = 'ReadOnlyServer'
  readonly code = '25006'
  constructor() {
    super('It takes no writes')
  }
}

/** None of the hosts could be used; the message says why of each. */
export class NoServerAvailable extends Error {
  override name = 'NoServerAvailable'
  /** Of the first that may do later; of the first when none may. */
  readonly code: string | undefined
  constructor(problems: readonly { readonly at: string; readonly error: unknown }[]) {
    const errors = problems.map(({ error }) => error as { code?: string; message?: string })
    const reasons = errors.map((error, index) => `${problems[index]!.at}: ${reasonOf(error)}`)
    super(`No PostgreSQL server can be used: ${reasons.join('; ')}`)
    this.code = (errors.find((error) => failureOf(error) === 'connection') ?? errors[0])?.code
  }
}

/** What `pg`, or the server where it takes passwords in clear, says when there is none. */
const noPassword = /client password must be a|^empty password returned by client/
const needsPassword =
  'it asks for a password: write it into the address, or set PGPASSWORD or TENANTRY_DATABASE_PASSWORD_FILE'

const reasonOf = ({ message, code }: { code?: string; message?: string }): string | undefined =>
  noPassword.test(message ?? '') ? needsPassword : message || code
