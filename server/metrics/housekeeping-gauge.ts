import type { Registry } from 'prom-client'
import { Gauge } from './prometheus.ts'

/** Starts a series for each task at 0; the result is called after each success, with `now` in epoch milliseconds. */
export type WatchHousekeeping = (tasks: readonly string[]) => (task: string, now: number) => void

/** When each housekeeping task last succeeded. */
export function housekeepingGauge(registry: Registry): WatchHousekeeping {
  const gauge = new Gauge({
    name: 'tenantry_housekeeping_last_success_timestamp_seconds',
    help: 'Unix time at which each housekeeping task last succeeded in this process; 0 before its first success.',
    labelNames: ['task'],
    registers: [registry],
  })
  return (tasks) => {
    for (const task of tasks) gauge.set({ task }, 0)
    return (task, now) => gauge.set({ task }, now / 1000)
  }
}
