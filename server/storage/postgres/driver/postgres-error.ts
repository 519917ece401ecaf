import { lostConnectionMessage, missingPasswordMessage } from './pg-internals.ts'

/** What an error of the server or the socket means for the job that met it. */
type PostgresFailure =
  /** Another transaction interfered and nothing was done. The same job may succeed when it runs again. */
  | 'conflict'
  /** An object or value of that name exists, possibly since a moment ago. */
  | 'duplicate'
  /** The connection is lost, or the server is read-only now. The job may succeed on another connection. */
  | 'connection'
  /** The statement took too long, or the server lacks disk space or memory. Nothing was done. */
  | 'overload'
  | 'other'

/** Server error codes that are not `other` (PostgreSQL manual, appendix A). */
const failures: Readonly<Record<string, PostgresFailure>> = {
  '40001': 'conflict', // serialization_failure
  '40P01': 'conflict', // deadlock_detected
  '26000': 'conflict', // invalid_sql_statement_name: the pipeline that prepared the statement failed earlier
  '23505': 'duplicate', // unique_violation: also for conflicts under SERIALIZABLE
  '42710': 'duplicate', // duplicate_object: also of concurrent CREATE TABLE IF NOT EXISTS
  '42P07': 'duplicate', // duplicate_table: also of concurrent CREATE TABLE IF NOT EXISTS
  '42701': 'duplicate', // duplicate_column: of a schema change that was made before
  '25006': 'connection', // read_only_sql_transaction: the primary was demoted
  '25P03': 'connection', // idle_in_transaction_session_timeout
  '25P04': 'connection', // transaction_timeout
  '53000': 'overload', // insufficient_resources
  '53100': 'overload', // disk_full
  '53200': 'overload', // out_of_memory
  '53300': 'connection', // too_many_connections
  '57P01': 'connection', // admin_shutdown
  '57P02': 'connection', // crash_shutdown
  '57P03': 'connection', // cannot_connect_now: the server is starting
  '57P05': 'connection', // idle_session_timeout
  '55P03': 'overload', // lock_not_available
  '57014': 'overload', // query_canceled: usually the statement timeout
  '58030': 'overload', // io_error
}
/** The server function that rejects a prepared statement whose columns have changed since (0A000). */
const planCheck = 'RevalidateCachedQuery'
const socketErrors = /^(08...$|ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/

export function failureOf(error: unknown): PostgresFailure {
  const { code, message, routine } = (error ?? {}) as { code?: unknown; message?: unknown; routine?: unknown }
  if (routine === planCheck) return 'conflict'
  if (typeof code === 'string') return failures[code] ?? (socketErrors.test(code) ? 'connection' : 'other')
  return typeof message === 'string' && lostConnectionMessage.test(message) ? 'connection' : 'other'
}

/** Whether the server sent the error, as opposed to the socket or the client. */
export const isServerError = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity !== undefined

/**
 * Server functions that warn in every transaction, for weeks, when transaction ids run out because old ones were not
 * vacuumed (PostgreSQL manual, Preventing Transaction ID Wraparound Failures).
 */
const warnsOfVacuum: readonly unknown[] = ['GetNewTransactionId', 'GetNewMultiXactId']

/** Whether a notice of the server is a warning that may be about the COMMIT that it comes with. */
export const isWarning = ({ code, routine }: { code?: string | undefined; routine?: string | undefined }): boolean =>
  code?.startsWith('01') === true && !warnsOfVacuum.includes(routine)

/** The server did not answer in time; the connection is closed. */
export class ResponseTimeout extends Error {
  override name = 'ResponseTimeout'
  readonly code = 'ETIMEDOUT'
  constructor(timeoutMs: number) {
    super(`no response within ${timeoutMs} ms`)
  }
}

/** No host can be used. The message tells servers that refuse from unreachable ones, and gives the reason for each. */
export class NoServerAvailable extends Error {
  override name = 'NoServerAvailable'
  /** The code of the first host that may recover, or else of the first host. */
  readonly code: string | undefined
  constructor(problems: readonly { readonly at: string; readonly error: unknown }[]) {
    const errors = problems.map(({ error }) => error as HostError)
    const reasons = errors.map((error, index) => `${problems[index]!.at}: ${reasonOf(error)}`)
    const what = errors.every(isRefusal) ? 'PostgreSQL refused the connection' : 'No PostgreSQL server is available'
    super(`${what}: ${reasons.join('; ')}`)
    this.code = (errors.find((error) => failureOf(error) === 'connection') ?? errors[0])?.code
  }
}

/** What the server says when it asks for a clear-text password and there is none. */
const emptyPassword = /^empty password returned by client/
const passwordRequired =
  'the server requires a password; add it to the URL, or set PGPASSWORD or TENANTRY_DATABASE_PASSWORD_FILE'

interface HostError {
  readonly code?: string
  readonly message?: string
}

const isPasswordMissing = ({ message = '' }: HostError): boolean =>
  missingPasswordMessage.test(message) || emptyPassword.test(message)

/** Whether the server answered and did not accept the user, the password or the database. */
const isRefusal = (error: HostError): boolean =>
  isPasswordMissing(error) || (isServerError(error) && failureOf(error) === 'other')

const reasonOf = (error: HostError): string | undefined =>
  isPasswordMissing(error) ? passwordRequired : error.message || error.code
