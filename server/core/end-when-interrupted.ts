import { rmSync } from 'node:fs'

/**
 * On Ctrl-C or SIGTERM, deletes files that are not complete and ends the process, even while it waits for a server or a thread.
 * @param interrupted its reason is the signal; default: SIGINT
 */
export function endWhenInterrupted(interrupted: AbortSignal, unfinished: readonly string[]): void {
  interrupted.addEventListener('abort', () => {
    for (const file of unfinished) rmSync(file, { force: true })
    // Nothing handles the signal any more, so it ends the process.
    process.kill(process.pid, interrupted.reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT')
  })
}
