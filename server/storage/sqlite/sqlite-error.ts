// Result codes of SQLite: https://sqlite.org/rescode.html. The low byte is the primary code.
const SQLITE_BUSY = 5
const SQLITE_IOERR_FSYNC = 1034
const SQLITE_IOERR_DIR_FSYNC = 1290

const codeOf = (error: unknown): number =>
  error instanceof Error && 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : 0

/** Whether another connection holds the lock just now. */
export const isBusy = (error: unknown): boolean => (codeOf(error) & 0xff) === SQLITE_BUSY

/**
 * Whether the disk failed to make data durable. What it holds is unknown from then on, and a later success proves
 * nothing (PostgreSQL's "fsyncgate").
 */
export function isSyncFailure(error: unknown): boolean {
  const code = codeOf(error)
  return code === SQLITE_IOERR_FSYNC || code === SQLITE_IOERR_DIR_FSYNC
}

/** A pause before trying for a lock again: short, and different for everyone who waits. */
export const backOff = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 1 + Math.random() * 4))

/** Runs `work` again while another process holds the lock, up to `patienceMs`; the event loop goes on meanwhile. */
export async function retryWhileBusy<T>(patienceMs: number, work: () => T | Promise<T>): Promise<T> {
  const deadline = performance.now() + patienceMs
  for (;;) {
    try {
      return await work()
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error
    }
    await backOff()
  }
}
