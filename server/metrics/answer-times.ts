import type { Registry } from 'prom-client'
import { operationNames } from '../../contract/operations.ts'
import type { AnswerMeter, Outcome, RecordAnswer } from '../http/answer-meter.ts'
import { AnswerDurations, registerDurations } from './answer-durations.ts'
import { Counter } from './prometheus.ts'

/** Counts and durations of answers, by operation and outcome. */
export function measureAnswers(registry: Registry): AnswerMeter {
  const series: AnswerDurations[] = []
  /** One per operation, because two listeners may serve the same one. */
  const recorders = new Map<string, RecordAnswer>()
  registerDurations(registry, series)
  const unexpected = new Counter({
    name: 'tenantry_internal_errors_total',
    help: 'Unexpected errors: requests answered with INTERNAL_SERVER, and streams that failed.',
    registers: [registry],
  })

  return {
    of(operation): RecordAnswer {
      const name = (operation && operationNames.get(operation)) ?? 'unknown'
      const known = recorders.get(name)
      if (known !== undefined) return known
      const byOutcome = new Map<Outcome, AnswerDurations>()
      const record: RecordAnswer = (outcome, seconds) => {
        let durations = byOutcome.get(outcome)
        if (durations === undefined) {
          durations = new AnswerDurations(name, outcome)
          byOutcome.set(outcome, durations)
          series.push(durations)
        }
        durations.add(seconds)
      }
      recorders.set(name, record)
      return record
    },
    countUnexpected: () => unexpected.inc(),
  }
}
