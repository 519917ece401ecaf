import { rmSync } from 'node:fs'

/**
 * On Ctrl-C or SIGTERM, deletes files that are not complete and ends the process, even while it waits for a server or a thread.
 * @param interrupted its reason is the signal; default: SIGINT
 * @param say prints what the end leaves
 */
export function endWhenInterrupted(interrupted: AbortSignal, unfinished: readonly string[], say = () => {}): void {
  interrupted.addEventListener('abort', () => {
    for (const file of unfinished) rmSync(file, { force: true })
    say()
    // Nothing handles the signal any more, so it ends the process.
    process.kill(process.pid, interrupted.reason === 'SIGTERM' ? 'SIGTERM' : 'SIGINT')
  })
}
