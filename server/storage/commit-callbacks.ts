/**
 * Runs what was to follow a commit. Errors go to standard error: the transaction is durable by then, so neither its caller
 * nor the other callbacks may fail for one.
 */
export function runCommitCallbacks(callbacks: readonly (() => void)[]): void {
  for (const callback of callbacks) {
    try {
      callback()
    } catch (error) {
      process.stderr.write(`commit callback failed: ${error instanceof Error ? error.stack : error}\n`)
    }
  }
}
