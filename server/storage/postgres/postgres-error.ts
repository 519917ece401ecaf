/** What an error of the server or the socket means for the work it met. */
export type PostgresFailure =
  /** Another transaction came between: the same work, run again, may succeed. */
  | 'conflict'
  /** The connection is gone or the server takes no writes any more: another connection may do. */
  | 'connection'
  | 'other'

/** serialization_failure, deadlock_detected, and a unique value that another transaction took in the same moment. */
const conflicts = new Set(['40001', '40P01', '23505'])
/** Of an admin shutdown, a crash, a server starting up, a server that has become read-only, too many connections. */
const connectionCodes = new Set(['57P01', '57P02', '57P03', '25006', '53300'])
const socketErrors = /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/

export function failureOf(error: unknown): PostgresFailure {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown }
  if (typeof code === 'string') {
    if (conflicts.has(code)) return 'conflict'
    if (connectionCodes.has(code) || code.startsWith('08') || socketErrors.test(code)) return 'connection'
    return 'other'
  }
  return typeof message === 'string' && /Connection terminated|Client was closed|not queryable/.test(message)
    ? 'connection'
    : 'other'
}

/** Whether the server said so, rather than the socket. */
export const isServerError = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity !== undefined

/** The COMMIT was sent and its answer never came: what was written may or may not be there. Safe to ask again. */
export class OutcomeUnknown extends Error {
  override name = 'OutcomeUnknown'
  constructor(cause: unknown) {
    super('The connection was lost while committing', { cause })
  }
}
