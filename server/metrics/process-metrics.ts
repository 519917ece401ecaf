import type { Registry as MetricRegistry } from 'prom-client'
import { Counter, collectFromProcess, Registry } from './prometheus.ts'

let registry: MetricRegistry | undefined

/**
 * CPU, memory, file descriptors, event loop and garbage collection of this process, as prom-client collects them. Its
 * collectors cannot be stopped, so all services of a process share one registry.
 */
export function processMetrics(): MetricRegistry {
  if (registry === undefined) {
    registry = new Registry()
    collectProcessorTime(registry)
    collectFromProcess(registry)
    // Gauges with the suffix of counters; the metrics without the suffix add up to the same numbers.
    for (const what of ['resources', 'handles', 'requests']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  }
  return registry
}

/** Replaces prom-client's `processCpuTotal`, which loads OpenTelemetry for exemplars. */
function collectProcessorTime(register: MetricRegistry): void {
  const times = {
    user: ({ user }: NodeJS.CpuUsage) => user,
    system: ({ system }: NodeJS.CpuUsage) => system,
    '': ({ user, system }: NodeJS.CpuUsage) => user + system,
  }
  for (const [kind, of] of Object.entries(times)) {
    new Counter({
      name: ['process_cpu', kind, 'seconds_total'].filter((part) => part !== '').join('_'),
      help: `Total ${kind === '' ? 'user and system' : kind} CPU time spent in seconds.`,
      registers: [register],
      collect() {
        this.reset()
        this.inc(of(process.cpuUsage()) / 1e6)
      },
    })
  }
}
