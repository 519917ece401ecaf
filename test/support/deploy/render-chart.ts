import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, parseAllDocuments } from 'yaml'
import { isRecord } from '../../../contract/fields/profile-values.ts'
import { parseTemplate, renderNodes, type Templates } from './go-template.ts'
import { findObject, type Yaml } from './manifests.ts'

export const chartFolder = join(import.meta.dirname, '../../../deploy/helm/tenantry')
export const readChartFile = (name: string): string => readFileSync(join(chartFolder, name), 'utf8')

/** A chart rendered as `helm template` does. */
interface RenderedChart {
  readonly objects: readonly Yaml[]
  readonly notes: string
  objectOf(kind: string, name?: string): Yaml
}

/** Changes of values, merged as with `--values`. */
export type ChartValues = Readonly<Record<string, unknown>>

function merged(values: ChartValues, changes: ChartValues): ChartValues {
  const pairs = Object.entries(changes).map(([name, change]) => {
    const before = values[name]
    return [name, isRecord(before) && isRecord(change) ? merged(before, change) : change]
  })
  return { ...values, ...Object.fromEntries(pairs) }
}

export const chartValues = (changes: ChartValues = {}): ChartValues =>
  merged(parse(readChartFile('values.yaml')), changes)

export function renderChart(changes: ChartValues = {}, release = 'tenantry'): RenderedChart {
  const { appVersion: AppVersion, name: Name } = parse(readChartFile('Chart.yaml'))
  const dot = {
    Values: chartValues(changes),
    Chart: { AppVersion, Name },
    Release: { Name: release, Namespace: 'tenantry' },
  }
  const templates: Templates = new Map()
  const names = readdirSync(join(chartFolder, 'templates')).sort()
  const files = names.map((name) => ({ name, nodes: parseTemplate(readChartFile(`templates/${name}`), templates) }))
  const render = (extension: string) =>
    files
      .filter(({ name }) => name.endsWith(extension))
      .map(({ nodes }) => renderNodes(nodes, { dot, root: dot, variables: {} }, templates))
  const objects = render('.yaml').flatMap((text) =>
    parseAllDocuments(text).flatMap((document) => {
      if (document.errors.length > 0) throw document.errors[0]
      const object: Yaml = document.toJS()
      return object === null ? [] : [object]
    }),
  )
  return {
    objects,
    notes: render('.txt').join(''),
    objectOf: (kind, name) => findObject(objects, kind, name),
  }
}
