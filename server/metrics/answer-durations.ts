import type { Metric, Registry } from 'prom-client'

/** Upper bounds in seconds: from an answer out of memory to one that waited for a hash or a lock. */
const bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

const name = 'tenantry_http_request_duration_seconds'
const help =
  'Seconds from the head of a request to the end of its answer, by operation and code: OK, or the code of the refusal.'

/** The answers of one operation that came out alike. */
export class AnswerDurations {
  readonly labels: { readonly operation: string; readonly code: string }
  /** Of each bound those that took no longer but longer than the bound before; the last are those beyond all. */
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

  /** As prom-client writes a histogram: each bucket holds those before it. */
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
 * The histogram of all of them, for a registry to write. prom-client's own finds a series by the text of its labels for
 * every answer, which costs as much as all the rest of the measurement.
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
