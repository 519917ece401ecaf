import { collectDefaultMetrics, Registry } from 'prom-client'

let registry: Registry | undefined

/**
 * CPU, memory, file descriptors, event loop and garbage collection of this process, as prom-client collects them. Its
 * collectors cannot be stopped, so all services of a process share one registry.
 */
export function processMetrics(): Registry {
  if (registry === undefined) {
    registry = new Registry()
    collectDefaultMetrics({ register: registry })
    // Gauges with the suffix of counters; the metrics without the suffix add up to the same numbers.
    for (const what of ['resources', 'handles', 'requests']) registry.removeSingleMetric(`nodejs_active_${what}_total`)
  }
  return registry
}
