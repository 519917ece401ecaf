import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scrape } from '../support/http/scrape.ts'
import { startTestService } from '../support/service.ts'

/** Units that the Prometheus conventions replace with base units: seconds, bytes, ratio. */
const notBaseUnits =
  /_(?:ns|us|ms|s|sec|secs|nanoseconds?|microseconds?|milliseconds?|minutes?|hours?|days?|weeks?|kb|mb|gb|kib|mib|gib|b|bits?|kilobytes?|megabytes?|gigabytes?|percent)(?:_|$)/

/** The problems that `promtool check metrics` reports for metrics in the text format. */
function problemsOf(text: string): string[] {
  const problems: string[] = []
  const helped = new Set([...text.matchAll(/^# HELP (\w+) \S/gm)].map(([, name]) => name!))
  const seen = new Set<string>()
  for (const [, name = '', type] of text.matchAll(/^# TYPE (\w+) (\w+)$/gm)) {
    if (seen.has(name)) problems.push(`${name}: duplicate`)
    seen.add(name)
    if (!helped.has(name)) problems.push(`${name}: no HELP`)
    if ((type === 'counter') !== name.endsWith('_total')) problems.push(`${name}: a ${type}`)
    if (/_(?:bucket|count|sum)$/.test(name)) problems.push(`${name}: suffix of a histogram's series`)
    if (/_(?:counter|gauge|histogram|summary)(?:_|$)/.test(name)) problems.push(`${name}: type in the name`)
    if (!/^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/.test(name)) problems.push(`${name}: not snake case`)
    if (notBaseUnits.test(name)) problems.push(`${name}: not a base unit`)
  }
  return problems
}

test('follows the naming conventions: _total for counters only, base units, HELP', async () => {
  await using service = await startTestService()
  const { text, names } = await scrape(service)
  assert.ok(names.size > 40)
  assert.deepEqual(problemsOf(text), [])
})

test('reports invalid names', () => {
  const metric = (name: string, type: string) => `# HELP ${name} Text.\n# TYPE ${name} ${type}\n`
  const wrong = [
    metric('handles_total', 'gauge'),
    metric('requests', 'counter'),
    metric('wait_milliseconds', 'gauge'),
    metric('queue_count', 'gauge'),
    metric('queue_gauge', 'gauge'),
    metric('queueLength', 'gauge'),
    '# TYPE queue gauge\n',
  ]
  for (const text of wrong) assert.equal(problemsOf(text).length, 1, text)
  assert.deepEqual(problemsOf(metric('wait_seconds', 'histogram')), [])
})
