import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { type } from '../terminal/terminal.testkit.ts'

let service: TestService
let folder: string
before(async () => {
  service = await startTestService()
  folder = await mkdtemp(join(tmpdir(), 'tenantry-schema-'))
})
after(async () => {
  await service.close()
  await rm(folder, { recursive: true })
})

const world = () => ({ folder, env: { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey } })
const newTenant = async () => (await service.admin.createTenant({ name: 'Test' })).id

test('writes a commented schema that can be published as it is', async () => {
  const wrote = await type(['schema', 'init'], world())
  assert.equal(wrote.errors, '')
  assert.match(wrote.output, /^Wrote profile-schema\.jsonc\. Edit it, then run: tenantry schema check/)
  const text = await readFile(join(folder, 'profile-schema.jsonc'), 'utf8')
  assert.ok(text.includes(`"$schema": "${service.baseUrl}/profile-schema.json"`))

  const tenant = await newTenant()
  const published = await type(['schema', 'publish', 'profile-schema.jsonc', '--tenant', tenant], world())
  assert.equal(published.errors, '')
  assert.match(published.output, /^Version 2 is current; it has \d+ field\(s\)\./)

  const asJson = await type(['schema', 'init', 'other.jsonc', '--json'], world())
  assert.deepEqual(JSON.parse(asJson.output), { file: 'other.jsonc' })
})

test('does not overwrite a file', async () => {
  await writeFile(join(folder, 'mine.jsonc'), 'mine')
  const { exitCode, errors } = await type(['schema', 'init', 'mine.jsonc'], world())
  assert.equal(exitCode, 1)
  assert.match(errors, /^File mine\.jsonc exists already\. Choose another name, or delete it first\.\n/)
  assert.equal(await readFile(join(folder, 'mine.jsonc'), 'utf8'), 'mine')
})

test('says that the folder of a new file is missing, or its name', async () => {
  const { exitCode, errors } = await type(['schema', 'init', 'no/mine.jsonc'], world())
  const reason = 'its folder does not exist; create it, or choose another path'
  assert.deepEqual([exitCode, errors], [1, `Failed to write no/mine.jsonc: ${reason}\n`])
  const empty = await type(['schema', 'init', ''], world())
  assert.deepEqual([empty.exitCode, empty.errors], [1, 'The name of the file is empty. Specify a file.\n'])
})

test('names the place of a mistake in a schema file', async () => {
  await writeFile(join(folder, 'wrong.jsonc'), '{\n  // fields\n  "components": [,]\n}\n')
  const { exitCode, errors } = await type(['schema', 'check', 'wrong.jsonc', '--tenant', await newTenant()], world())
  assert.equal(exitCode, 1)
  assert.match(errors, /^wrong\.jsonc is not valid JSON: Value expected at line 3, column 18\n/)
})

test('refuses a property that an object has twice, of which JSON would keep the last', async () => {
  const tenant = await newTenant()
  const check = async (text: string) => {
    await writeFile(join(folder, 'twice.jsonc'), text)
    const { exitCode, errors } = await type(['schema', 'check', 'twice.jsonc', '--tenant', tenant], world())
    return [exitCode, errors]
  }
  assert.deepEqual(await check('{\n "migrations": [{ "drop": "a" }],\n "components": [],\n "migrations": [],\n}'), [
    1,
    'twice.jsonc has "migrations" twice in one object, again at line 4, column 2; remove one\n',
  ])
  const component = '{ "name": "a", "type": "text", "rules": { "minLength": 2 }, "rules": { "maxLength": 9 } }'
  assert.deepEqual(await check(`{ "components": [${component}] }`), [
    1,
    'twice.jsonc has "rules" twice in one object, again at line 1, column 78; remove one\n',
  ])
  const components = ['a', 'b'].map((name) => `{ "name": "${name}", "type": "text", "rules": {} }`)
  assert.deepEqual(await check(`{ "components": [${components}], "forms": { "x": { "fields": [] } } }`), [0, ''])
})

test('serves the JSON Schema that the file names', async () => {
  const response = await fetch(`${service.baseUrl}/profile-schema.json`)
  assert.equal(response.headers.get('content-type'), 'application/json; charset=utf-8')
  assert.equal(response.headers.get('cache-control'), 'public, max-age=300')
  assert.equal(((await response.json()) as { title: string }).title, 'Tenantry profile schema')
})
