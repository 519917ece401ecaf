/** What supervisors, terminals and container engines send to end a process. */
export const stopSignals = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const

/** Under npm a process gets one signal twice: from its process group, and from npm. The second is not another request. */
const duplicateMs = 250

/** Before the service exists nothing has been accepted, so there is nothing to finish. */
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
 * Decides what stop signals do from now on. Until then, the first one ends the process with 0.
 * @param onFirst called for the first signal
 * @param onRepeated called for every later one
 */
export function onStopSignals(onFirst: () => void, onRepeated: () => void): void {
  stop = onFirst
  hurry = onRepeated
}
