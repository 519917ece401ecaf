import { DeliveryMethod } from '../../contract/accounts/otp.ts'
import type { Clock } from '../core/clock.ts'
import type { AttemptResult } from '../delivery/outbox.ts'
import type { Sealing } from '../events/event-sealing.ts'
import type { AnswerMeter } from '../http/answer-meter.ts'
import { measureAnswers } from './answer-times.ts'
import { watchDatabase } from './database-gauges.ts'
import { watchEvents } from './event-metrics.ts'
import { housekeepingGauge, type WatchHousekeeping } from './housekeeping-gauge.ts'
import { countLimited, type LimitCounts } from './limit-counts.ts'
import { type CountOtp, countOtps } from './otp-counts.ts'
import { watchOutbox } from './outbox-gauges.ts'
import { processMetrics } from './process-metrics.ts'
import { Counter, Registry } from './prometheus.ts'
import { type Watched, watchService } from './service-gauges.ts'

/**
 * The metrics of one service. No label names a tenant, a user, an address, a key or a one-time password: each would be a
 * series, and readers of metrics have no right to see them.
 */
export interface Metrics extends LimitCounts {
  readonly answers: AnswerMeter
  readonly countOtp: CountOtp
  countAttempt(method: DeliveryMethod, state: AttemptResult['state']): void
  countSealing(sealing: Sealing): void
  countUnnamedProxy(): void
  countSmsPrefixPause(): void
  readonly watchHousekeeping: WatchHousekeeping
  /** All metrics in Prometheus' text format. Takes about a second when the database does not answer. */
  text(): Promise<string>
}

/** What the metrics are read from. */
interface MetricsOptions extends Watched {
  readonly clock: Clock
}

const timeoutMs = 1_000

/** Metrics of one service; services in the same process share the process metrics only. */
export function createMetrics({ clock, ...watched }: MetricsOptions): Metrics {
  const registry = new Registry()
  const ofProcess = processMetrics()
  watchService(registry, watched)
  watchDatabase(registry, watched.storage)
  watchOutbox(registry, { outbox: watched.storage.system.outbox, clock, timeoutMs })
  const attempts = new Counter({
    name: 'tenantry_message_attempts_total',
    help: 'Delivery attempts by result: sent, failed, cancelled, or queued for a retry.',
    labelNames: ['method', 'state'],
    registers: [registry],
  })
  for (const method of DeliveryMethod.options) {
    for (const state of ['sent', 'failed', 'cancelled', 'queued']) attempts.inc({ method, state }, 0)
  }
  const unnamedProxy = new Counter({
    name: 'tenantry_unnamed_proxy_total',
    help: 'Requests with forwarding headers from a local peer that TENANTRY_TRUSTED_PROXIES does not name.',
    registers: [registry],
  })

  const smsPrefixPauses = new Counter({
    name: 'tenantry_sms_prefix_pauses_total',
    help: 'Pauses of SMS codes to a phone number prefix because too few of its codes were verified.',
    registers: [registry],
  })

  return {
    ...countLimited(registry),
    answers: measureAnswers(registry),
    countOtp: countOtps(registry),
    countAttempt: (method, state) => attempts.inc({ method, state }),
    countSealing: watchEvents(registry, { sealing: watched.storage.system.eventSealing, clock, timeoutMs }),
    countUnnamedProxy: () => unnamedProxy.inc(),
    countSmsPrefixPause: () => smsPrefixPauses.inc(),
    watchHousekeeping: housekeepingGauge(registry),
    text: async () => (await Promise.all([registry.metrics(), ofProcess.metrics()])).join('\n'),
  }
}
