import assert from 'node:assert/strict'
import type { TestService } from '../service.ts'

/** The result of one scrape. */
export interface Scraped {
  readonly text: string
  /** Names of metrics, from their `# TYPE` lines. */
  readonly names: ReadonlySet<string>
  /** The value of a series: `tenantry_limited_total`, `{limit="resend"}`; undefined when there is none. */
  value(name: string, labels?: string): number | undefined
  /** Every value of a label of a metric. */
  labels(name: string, label: string): ReadonlySet<string>
}

/** Scrapes as Prometheus does: with the admin key. */
export async function scrape(service: TestService): Promise<Scraped> {
  const answer = await fetch(`${service.baseUrl}/metrics`, { headers: { authorization: `Bearer ${service.adminKey}` } })
  assert.equal(answer.status, 200)
  return readScrape(await answer.text())
}

/** Parses the text format, version 0.0.4; throws on any other line. */
function readScrape(text: string): Scraped {
  const names = new Set<string>()
  const series = new Map<string, number>()
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('# HELP ')) continue
    const type = /^# TYPE (\w+) (?:counter|gauge|histogram)$/.exec(line)
    if (type) {
      names.add(type[1]!)
      continue
    }
    const sample = /^(\w+(?:\{(?:\w+="(?:[^"\\]|\\.)*",?)+\})?) (-?[\d.e+-]+|nan|\+Inf)$/i.exec(line)
    assert.ok(sample, `no line of the text format: ${line}`)
    series.set(sample[1]!, Number(sample[2]))
  }
  return {
    text,
    names,
    value: (name, labels = '') => series.get(name + labels),
    labels: (name, label) =>
      new Set(
        [...series.keys()]
          .filter((key) => key.startsWith(`${name}{`))
          .map((key) => new RegExp(`[{,]${label}="([^"]*)"`).exec(key)?.[1] ?? ''),
      ),
  }
}
