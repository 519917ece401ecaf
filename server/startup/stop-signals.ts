/** The signals with which supervisors, terminals and container engines stop a process. */
export const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Under npm, a process receives one signal twice: from its process group and from npm. The duplicate is ignored. */
const duplicateMs = 250

/** Before the service exists, there are no requests to finish. */
let stop = (): void => process.exit(0)
let hurry = (): void => {}
let stoppedAt: number | null = null

for (const signal of stopSignals) {
  process.on(signal, () => {
    if (stoppedAt === null) {
      stoppedAt = performance.now()
      stop()
    } else if (performance.now() - stoppedAt > duplicateMs) hurry()
  })
}

/**
 * Sets the handlers of stop signals. Before that, the first signal ends the process with exit code 0.
 * @param onFirst called for the first signal
 * @param onRepeated called for every later one
 */
export function onStopSignals(onFirst: () => void, onRepeated: () => void): void {
  stop = onFirst
  hurry = onRepeated
}
