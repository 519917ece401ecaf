import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { parseAllDocuments } from 'yaml'
import { readDeployment } from '../support/deploy/deployment.ts'
import { kubernetesContainers, podsOf, understand, type Yaml } from '../support/deploy/manifests.ts'
import {
  type ChartValues,
  chartFolder,
  chartValues,
  readChartFile,
  renderChart,
} from '../support/deploy/render-chart.ts'
import { isInstalled } from '../support/installed.ts'

const { kubernetes, secrets, objectOf, close } = await readDeployment()
after(close)

/** The kinds of chart that the tests render. */
const variants: Record<string, ChartValues> = {
  postgres: {},
  sqlite: { database: { engine: 'sqlite' } },
  everything: {
    ingress: { enabled: true, className: 'nginx', host: 'a.example.com', tlsSecret: 'tls', annotations: { a: 'b' } },
    secret: { 'admin-key': 'x', 'master-keys': 'y' },
    settings: { LOG_LEVEL: 'warn', TENANTRY_DATABASE_CONNECTIONS: '20' },
    serviceMonitor: { enabled: true },
    resources: { limits: { memory: '1Gi' } },
  },
  'least on SQLite': { database: { engine: 'sqlite' }, networkPolicy: { enabled: false } },
}

/** Without what identifies the release, and what Helm needs to run the migration first. */
function plain(object: Yaml): Yaml {
  const text = JSON.stringify(object, (key, value) =>
    /^app\.kubernetes\.io\/instance$|^annotations$/.test(key) ? undefined : value,
  )
  return JSON.parse(text.replaceAll('tenantry-migration-settings', 'tenantry-settings'))
}
const nameOf = ({ kind, metadata }: Yaml): string => `${kind} ${metadata.name}`
const byName = (objects: readonly Yaml[]) => new Map(objects.map((object) => [nameOf(object), plain(object)]))

test('with its defaults the chart is deploy/kubernetes', () => {
  const { objects } = renderChart({ serviceMonitor: { enabled: true } })
  const rendered = byName(objects.filter(({ metadata }) => metadata.name !== 'tenantry-migration-settings'))
  // Created by the operator beforehand.
  const expected = byName(kubernetes.filter(({ kind }) => kind !== 'Namespace' && kind !== 'Secret'))
  assert.deepEqual([...rendered.keys()].toSorted(), [...expected.keys()].toSorted())
  for (const [name, object] of expected) assert.deepEqual(rendered.get(name), object, name)
  assert.deepEqual(
    renderChart().objectOf('ConfigMap', 'tenantry-migration-settings').data,
    objectOf('ConfigMap', 'tenantry-settings').data,
  )
})

test('the server accepts the settings of each engine', () => {
  for (const variant of ['postgres', 'sqlite'] as const) {
    const { objects } = renderChart(variants[variant])
    const mounted = objectOf('Secret', 'tenantry-secrets')
    for (const container of kubernetesContainers([...objects, mounted])) {
      const { config, looked } = understand(container, secrets)
      assert.deepEqual(
        Object.keys(container.env).filter((name) => !looked.has(name)),
        [],
      )
      assert.equal(config.database.engine, variant)
    }
  }
})

test('on SQLite there is one server with a volume, and no migration, autoscaler or budget', () => {
  const { objects, objectOf: find } = renderChart(variants['sqlite'])
  assert.deepEqual(objects.map(nameOf), [
    'Service tenantry',
    'Service tenantry-admin',
    'NetworkPolicy tenantry',
    'StatefulSet tenantry',
    'ConfigMap tenantry-settings',
  ])
  const { spec } = find('StatefulSet')
  assert.equal(spec.replicas, 1)
  const [claim] = spec.volumeClaimTemplates
  const [container] = spec.template.spec.containers
  assert.ok(container.volumeMounts.some(({ name }: Yaml) => name === claim.metadata.name))
  assert.deepEqual(claim.spec.accessModes, ['ReadWriteOnce'])
  assert.ok(spec.template.spec.terminationGracePeriodSeconds > 20)
  // The server migrates the schema itself, before it answers a probe.
  const { periodSeconds, failureThreshold } = container.startupProbe
  assert.ok(periodSeconds * failureThreshold >= 30 * 60)
  assert.ok(!JSON.stringify(find('NetworkPolicy')).includes('5432'))
})

test('a Secret with given content, an Ingress and further settings are optional', () => {
  const { objectOf: find, objects } = renderChart(variants['everything'], 'acme')
  assert.deepEqual(find('Secret').stringData, { 'admin-key': 'x', 'master-keys': 'y' })
  for (const pod of podsOf(objects)) assert.equal(pod.volumes[0].secret.secretName, 'acme-secrets')
  const [rule] = find('Ingress').spec.rules
  assert.deepEqual(rule.http.paths[0].backend, { service: { name: 'acme', port: { name: 'http' } } })
  for (const name of ['acme-settings', 'acme-migration-settings']) {
    const { LOG_LEVEL, TENANTRY_DATABASE_CONNECTIONS } = find('ConfigMap', name).data
    assert.deepEqual([LOG_LEVEL, TENANTRY_DATABASE_CONNECTIONS], ['warn', '20'])
  }
  assert.deepEqual(find('Deployment').spec.template.spec.containers[0].resources, { limits: { memory: '1Gi' } })
  assert.throws(() => renderChart({ existingSecret: '' }), /set existingSecret or secret/)
})

test('the schema accepts these values, and refuses unknown and invalid ones', () => {
  const validate = new Ajv().compile(JSON.parse(readChartFile('values.schema.json')))
  for (const changes of Object.values(variants))
    assert.ok(validate(chartValues(changes)), JSON.stringify(validate.errors))
  for (const changes of [
    { replicas: 3 },
    { database: { engine: 'mysql' } },
    { publicUrl: 'http://accounts.example.com' },
    { terminationGracePeriodSeconds: 20 },
    { settings: { LOG_LEVEL: 1 } },
  ]) {
    assert.ok(!validate(chartValues(changes)), JSON.stringify(changes))
  }
  // A setting that the chart sets itself would be twice in the ConfigMap.
  for (const variant of ['postgres', 'sqlite'] as const)
    for (const name of Object.keys(renderChart(variants[variant]).objectOf('ConfigMap', 'tenantry-settings').data))
      assert.ok(!validate(chartValues({ settings: { [name]: 'x' } })), name)
})

test('the notes and the versions are those of this release', () => {
  const { version } = JSON.parse(readFileSync(join(chartFolder, '../../../package.json'), 'utf8'))
  assert.match(readChartFile('Chart.yaml'), new RegExp(`^version: ${version}\nappVersion: ${version}$`, 'm'))
  assert.match(renderChart().notes, /exec deployment\/tenantry -- node app\/cli\/tenantry\.ts tenant create/)
  assert.match(renderChart(variants['sqlite']).notes, /exec statefulset\/tenantry --/)
})

test('an upgrade that changes settings or the secret replaces the pods, and no other does', () => {
  for (const [engine, kind] of [
    ['postgres', 'Deployment'],
    ['sqlite', 'StatefulSet'],
  ] as const) {
    const podWith = (changes: ChartValues) =>
      JSON.stringify(
        renderChart({ database: { engine }, secret: { 'admin-key': 'x' }, ...changes }).objectOf(kind).spec.template,
      )
    const before = podWith({})
    assert.equal(podWith({ ingress: { enabled: true }, autoscaling: { maxReplicas: 9 } }), before)
    for (const changes of [
      { settings: { LOG_LEVEL: 'warn' } },
      { mailFrom: 'other@example.com' },
      { secret: { 'admin-key': 'y' } },
    ])
      assert.notEqual(podWith(changes), before, JSON.stringify(changes))
  }
})

const helm = (...args: string[]) => promisify(execFile)('helm', args)

test('helm renders the same objects', {
  skip: !isInstalled('helm', 'version') && 'helm is not installed',
}, async () => {
  await helm('lint', '--strict', chartFolder)
  const { stdout } = await helm('template', 'tenantry', chartFolder, '--namespace', 'tenantry')
  const objects: Yaml[] = parseAllDocuments(stdout).map((document) => document.toJS())
  assert.deepEqual(
    new Map(objects.map((object) => [nameOf(object), object])),
    new Map(renderChart().objects.map((object) => [nameOf(object), object])),
  )
})
