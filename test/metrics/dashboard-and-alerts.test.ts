import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { parse } from 'yaml'
import { allOperations } from '../../contract/operations.ts'
import { type Canaries, openCanaries } from '../support/attacks/canaries.ts'
import type { Yaml } from '../support/deploy/manifests.ts'
import { type Scraped, scrape } from '../support/http/scrape.ts'
import { isInstalled } from '../support/installed.ts'
import { useEverything } from '../support/use-everything.ts'

const root = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const rulesPath = 'deploy/prometheus/alerts.yaml'

const rules: Yaml[] = parse(read(rulesPath)).groups.flatMap((group: Yaml) => group.rules)
const panels: Yaml[] = JSON.parse(read('deploy/grafana/tenantry.json')).panels
const expressions: readonly string[] = [
  ...rules.map(({ expr }) => expr),
  ...panels.flatMap(({ targets = [] }) => targets.map(({ expr }: Yaml) => expr)),
]

let canaries: Canaries
let scraped: Scraped
before(async () => {
  canaries = await openCanaries()
  await useEverything(canaries)
  scraped = await scrape(canaries.service)
})
after(() => canaries[Symbol.asyncDispose]())

/** Metrics of another engine or setting, which the guide documents; its test compares the guide with what is served. */
const guide = new Map(
  [...read('docs/guides/metrics.md').matchAll(/^\| (`tenantry_.*?) \| (.*?) \|/gm)].flatMap(
    ([, names = '', labels = '']) =>
      [...names.matchAll(/\w+/g)].map(
        ([name]) => [name, [...labels.matchAll(/\w+/g)].map(([label]) => label)] as const,
      ),
  ),
)

/** A metric as an expression uses it, with the labels that it selects or groups by. */
interface Use {
  readonly metric: string
  readonly labels: readonly string[]
}

const keywords = new Set([
  ...['sum', 'max', 'min', 'count', 'rate', 'increase', 'histogram_quantile', 'time', 'by', 'and', 'or', 'up'],
])

/** Reads PromQL of the form that the files use: every grouping belongs to the metrics inside its parentheses. */
function usesIn(expression: string): Use[] {
  const texts = expression.replaceAll(/"[^"]*"/g, '""')
  const groups = [...texts.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = '']) => names.split(/,\s*/))
  const plain = texts.replaceAll(/by \([^)]*\)/g, '').replaceAll(/\[[^\]]*\]/g, '')
  return [...plain.matchAll(/\b([a-z]\w+)\b(?:\{([^}]*)\})?/g)]
    .filter(([, name = '']) => !keywords.has(name))
    .map(([, metric = '', selectors = '']) => ({
      metric,
      labels: [...[...selectors.matchAll(/(\w+)\s*[=!]/g)].map(([, label]) => label!), ...groups],
    }))
}

/** Labels that Prometheus adds, and that of a histogram's buckets. */
const added = ['job', 'instance', 'le']
const baseOf = (metric: string): string => metric.replace(/_(bucket|count|sum)$/, '')

function problemsOf(expression: string): string[] {
  return usesIn(expression).flatMap(({ metric, labels }) => {
    const base = baseOf(metric)
    if (!scraped.names.has(base) && !guide.has(base)) return [`unknown metric ${metric}`]
    const series = new RegExp(`^${metric}\\{(.*)\\}`, 'm').exec(scraped.text)?.[1]
    const known = [...(guide.get(base) ?? []), ...[...(series ?? '').matchAll(/(\w+)="/g)].map(([, label]) => label!)]
    return labels
      .filter((label) => !added.includes(label) && !known.includes(label))
      .map((label) => `${metric} ${label}`)
  })
}

test('every metric and label of the dashboard and the alerts exists', () => {
  assert.ok(expressions.length > 30)
  for (const expression of expressions) {
    if (!/^sum\(up\{/.test(expression)) assert.ok(usesIn(expression).length > 0, expression)
    assert.deepEqual(problemsOf(expression), [], expression)
  }
})

test('the check finds unknown metrics and labels', () => {
  assert.deepEqual(problemsOf('rate(tenantry_http_requests_total[5m])'), [
    'unknown metric tenantry_http_requests_total',
  ])
  assert.deepEqual(problemsOf('sum by (tenant) (tenantry_otp_total{scope!="x", step="y"})'), [
    'tenantry_otp_total step',
    'tenantry_otp_total tenant',
  ])
})

test('durations leave out the operations that take as long as there is data', () => {
  const long = Object.entries(allOperations)
    .filter(([, { outputLines, path }]) => outputLines || path.endsWith('/events/verify'))
    .map(([name]) => name)
  assert.ok(long.includes('exportUsers') && long.includes('verifyEvents'))
  const durations = expressions.filter((expression) => expression.includes('duration_seconds_bucket'))
  assert.ok(durations.length > 1)
  for (const expression of durations) {
    const [, excluded = ''] = /operation!~"([^"]*)"/.exec(expression) ?? []
    // Prometheus matches the whole value.
    const pattern = new RegExp(`^(?:${excluded})$`)
    assert.deepEqual(
      [...long, 'unknown', 'listUsers', 'listEvents'].filter((name) => !pattern.test(name)),
      ['listUsers', 'listEvents'],
      expression,
    )
  }
})

test('the guide lists the alerts of the file, and no others', () => {
  const listed = [...read('docs/guides/metrics.md').matchAll(/^\| `(Tenantry\w+)` \|/gm)].map(([, name]) => name)
  assert.deepEqual(
    listed,
    rules.map(({ alert }) => alert),
  )
  const explained = [...read('docs/guides/metrics.md').matchAll(/\*\*(Tenantry\w+)\*\*/g)].map(([, name]) => name)
  assert.deepEqual(
    explained.filter((name) => !listed.includes(name)),
    [],
  )
  for (const { annotations, labels } of rules) assert.ok(annotations.summary && labels.severity)
})

test('the panels have distinct ids and do not overlap', () => {
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)}/${y + Math.floor(cell / w)}`),
  )
  assert.equal(new Set(cells).size, cells.length)
})

const promtool = (...args: string[]) => promisify(execFile)('promtool', args)

test('promtool accepts the rules', {
  skip: !isInstalled('promtool', '--version') && 'promtool is not installed',
}, async () => {
  const { stdout } = await promtool('check', 'rules', '--lint-fatal', join(root, rulesPath))
  assert.match(stdout, /SUCCESS: 9 rules found/)
})
