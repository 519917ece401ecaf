import { createRequire } from 'node:module'
import type * as PromClient from 'prom-client'

const require = createRequire(import.meta.url)

// The parts of prom-client in use. Its index also loads OpenTelemetry, a push gateway and `node:cluster`, which takes 30 ms
// and 17 MB at startup.
export const Counter: typeof PromClient.Counter = require('prom-client/lib/counter')
export const Gauge: typeof PromClient.Gauge = require('prom-client/lib/gauge')
export const Registry: typeof PromClient.Registry = require('prom-client/lib/registry')

/** prom-client's metrics of a process, except those in `process-metrics.ts`. */
const collectors = [
  'processStartTime',
  'osMemoryHeap',
  'processOpenFileDescriptors',
  'processMaxFileDescriptors',
  'eventLoopLag',
  'processResources',
  'processHandles',
  'processRequests',
  'heapSizeAndUsed',
  'heapSpacesSizeAndUsed',
  'version',
  'gc',
] as const

/** Adds prom-client's metrics of this process. They cannot be removed again. */
export function collectFromProcess(registry: PromClient.Registry): void {
  for (const name of collectors) {
    const collect = require(`prom-client/lib/metrics/${name}`)
    collect(registry, { eventLoopMonitoringPrecision: 10 })
  }
}
