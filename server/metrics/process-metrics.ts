import { collectDefaultMetrics, Registry } from 'prom-client'

let registry: Registry | undefined

/**
 * CPU, memory, file descriptors, event loop and garbage collection of this process, as prom-client collects them. What
 * it starts for that cannot be stopped, and a process is one however many services run in it: so it is started once.
 */
export function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry()
    collectDefaultMetrics({ register: registry })
    // Gauges under the suffix of counters; the same numbers are the sums of those without it.
    for (const what of ['resources', 'handles', 'requests']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  }
  return registry
}
