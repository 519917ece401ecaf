import type { Metric, Registry } from 'prom-client'

/** Upper bounds in seconds: from an answer out of memory to one that waits for a hash or a lock. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const name = 'tenantry_http_request_duration_seconds'
const help =
  'Seconds from the headers of a request to the end of its answer, by operation and code: OK or the error code.'

/** The durations of one operation's answers with the same outcome. */
export class AnswerDurations {
  readonly labels: { readonly operation: string; readonly code: string }
  /** Answers per bucket, not cumulative; the last bucket is unbounded. */
  readonly #counts = new Array<number>(bounds.length + 1).fill(0)
  #sum = 0

  constructor(operation: string, code: string) {
    this.labels = { operation, code }
  }

  add(seconds: number): void {
    let index = 0
    while (index < bounds.length && seconds > bounds[index]!) index++
    this.#counts[index]!++
    this.#sum += seconds
  }

  /** The samples of a Prometheus histogram, with cumulative buckets. */
  get samples(): object[] {
    const { labels } = this
    let count = 0
    const buckets = this.#counts.map((own, index) => {
      count += own
      return { metricName: `${name}_bucket`, labels: { le: bounds[index] ?? '+Inf', ...labels }, value: count }
    })
    return [
      ...buckets,
      { metricName: `${name}_sum`, labels, value: this.#sum },
      { metricName: `${name}_count`, labels, value: count },
    ]
  }
}

/**
 * Registers the histogram of all series. prom-client's `Histogram` looks up the series by its labels' text for every
 * answer, which doubles the cost of measuring.
 */
export function registerDurations(registry: Registry, series: Iterable<AnswerDurations>): void {
  const get = async () => ({
    name,
    help,
    type: 'histogram',
    values: Array.from(series, ({ samples }) => samples).flat(),
    aggregator: 'sum',
  })
  registry.registerMetric({ name, get } as unknown as Metric)
}
