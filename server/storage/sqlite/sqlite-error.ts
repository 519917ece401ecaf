// Result codes of SQLite: https://sqlite.org/rescode.html. The low byte is the primary code.
const SQLITE_BUSY = 5
const SQLITE_LOCKED = 6
export const SQLITE_READONLY = 8
const SQLITE_IOERR = 10
export const SQLITE_CORRUPT = 11
const SQLITE_FULL = 13
export const SQLITE_CANTOPEN = 14
const SQLITE_PROTOCOL = 15
export const SQLITE_NOTADB = 26
const SQLITE_IOERR_WRITE = 778
const SQLITE_IOERR_FSYNC = 1034
const SQLITE_IOERR_DIR_FSYNC = 1290
const SQLITE_IOERR_SHMSIZE = 4874
const SQLITE_IOERR_DATA = 8202
const SQLITE_IOERR_CORRUPTFS = 8458

export type FaultKind = 'locked' | 'full' | 'read-only' | 'I/O' | 'corrupt' | 'fsync'

const kindsByPrimaryCode: Readonly<Record<number, FaultKind>> = {
  [SQLITE_BUSY]: 'locked',
  [SQLITE_LOCKED]: 'locked',
  [SQLITE_READONLY]: 'read-only', // Also when the file was moved or deleted while open
  [SQLITE_IOERR]: 'I/O',
  [SQLITE_CORRUPT]: 'corrupt', // Also when a read failed with EIO
  [SQLITE_FULL]: 'full',
  [SQLITE_CANTOPEN]: 'I/O',
  [SQLITE_PROTOCOL]: 'locked',
  [SQLITE_NOTADB]: 'corrupt',
}

const messages: Readonly<Record<FaultKind, string>> = {
  locked: 'database is locked by another process; stop the process if the lock persists',
  full: 'disk is full; free some space (no restart needed)',
  'read-only':
    'database file is not writable; remount its file system read-write, or put the file back if it was moved or deleted',
  'I/O': 'disk I/O failed; check the disk and the kernel log',
  corrupt:
    'database file is corrupt or cannot be read; check the disk, or stop the server and restore a backup (docs/guides/backup-and-restore.md)',
  fsync: 'fsync failed; writes are refused until the server is restarted',
}

/** SQLite does not pass EFBIG on, and the kernel does not log it. */
const writeFailed = 'disk I/O failed; check the disk, the kernel log and the file size limit of the process (ulimit -f)'

/** Why a read or write was refused, for operators; the cause is SQLite's error. */
export class SqliteFault extends Error {
  override name = 'SqliteFault'
  readonly kind: FaultKind

  constructor(kind: FaultKind, cause?: unknown, message = messages[kind]) {
    super(message, { cause })
    this.kind = kind
  }
}

const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0

/** The primary result code of an error of SQLite; 0 for any other error. */
export const sqliteResult = (error: unknown): number => codeOf(error) & 0xff

/** The disk fault behind an error of SQLite; null for any other error, such as a violated constraint. */
export function faultOf(error: unknown): SqliteFault | null {
  const code = codeOf(error)
  if (isSyncFailure(error)) return new SqliteFault('fsync', error)
  if (code === SQLITE_IOERR_DATA || code === SQLITE_IOERR_CORRUPTFS) return new SqliteFault('corrupt', error)
  if (code === SQLITE_IOERR_WRITE) return new SqliteFault('I/O', error, writeFailed)
  // The index of the log (-shm) cannot grow.
  if (code === SQLITE_IOERR_SHMSIZE) return new SqliteFault('full', error)
  const kind = kindsByPrimaryCode[sqliteResult(error)]
  return kind === undefined ? null : new SqliteFault(kind, error)
}

/** Whether a file could not take what was written: its disk is full, or the write failed. */
export const isFailedWrite = (error: unknown): boolean =>
  sqliteResult(error) === SQLITE_FULL || codeOf(error) === SQLITE_IOERR_WRITE

/** Whether another connection holds the lock. */
export const isBusy = (error: unknown): boolean => sqliteResult(error) === SQLITE_BUSY

/**
 * Whether the disk failed to make data durable. Its content is unknown from then on, and a later successful fsync proves
 * nothing (PostgreSQL's "fsyncgate").
 */
export function isSyncFailure(error: unknown): boolean {
  const code = codeOf(error)
  return code === SQLITE_IOERR_FSYNC || code === SQLITE_IOERR_DIR_FSYNC
}

/**
 * Whether a transaction may be committed although its COMMIT failed with this error: the write-ahead log may contain all
 * of it, and recovery replays it. A failed write leaves the last frame incomplete, and recovery ignores the transaction;
 * any other I/O error may occur after the last frame.
 */
export function mayBeCommitted(error: unknown): boolean {
  return sqliteResult(error) === SQLITE_IOERR && codeOf(error) !== SQLITE_IOERR_WRITE
}

/** The error of a COMMIT whose fsync failed, for an fsync outside SQLite. */
export const syncFailure = (cause: Error): Error =>
  Object.assign(new Error(`fsync failed: ${cause.message}`, { cause }), {
    errcode: SQLITE_IOERR_FSYNC,
  })

/** The error of a read after an I/O error has ended the transaction that it belongs to. */
export const lostSnapshot = (): Error =>
  Object.assign(new Error('the read transaction ended after an I/O error'), { errcode: SQLITE_IOERR })

/** A short random pause before the next attempt to take a lock. */
export const backOff = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4))

/** Retries `work` while another process holds the lock, up to `busyTimeoutMs`, without blocking the event loop. */
export async function retryWhileBusy<T>(busyTimeoutMs: number, work: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
    }
    await backOff()
  }
}
