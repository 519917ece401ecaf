import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestService, type TestService } from '../test/support/service.ts'
import { type } from './terminal/terminal.testkit.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

/** Runs a command that must succeed with empty standard error. */
async function tenantry(...words: string[]): Promise<string> {
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey }
  const { exitCode, output, errors } = await type(['signing-keys', ...words], { env })
  assert.equal(errors, '')
  assert.equal(exitCode, 0)
  return output
}

const time = /20\d\d-\d\d-\d\dT\d\d:\d\d:00\.000Z/.source
const kid = /[0-9A-HJKMNP-TV-Z]{26}/.source

test('lists the keys in columns and as JSON', async () => {
  const lines = (await tenantry('list')).trimEnd().split('\n')
  assert.match(lines[0] ?? '', /^KID {25}STATE {4}CREATED {19}SIGNS FROM {16}TRUSTED UNTIL$/)
  assert.match(lines[1] ?? '', new RegExp(`^${kid}  current  ${time}  ${time}  -$`))
  assert.equal(lines.length, 2)
  assert.deepEqual(JSON.parse(await tenantry('list', '--json')), (await service.admin.listSigningKeys()).keys)
})

test('shows the next key after a rotation', async () => {
  const [current] = (await service.admin.listSigningKeys()).keys
  const lines = (await tenantry('rotate')).trimEnd().split('\n')
  assert.match(lines[1] ?? '', new RegExp(`^${current?.kid}  current  ${time}  ${time}  ${time}$`))
  assert.match(lines[2] ?? '', new RegExp(`^${kid}  next     ${time}  ${time}  -$`))
  assert.equal(lines.length, 3)
})

test('leaves one new key after a withdrawal and explains the effect', async () => {
  const before = (await service.admin.listSigningKeys()).keys.map((key) => key.kid)
  const text = await tenantry('rotate', '--withdraw')
  assert.match(text, /\n\nAll existing access tokens are now rejected/)
  const keys = (await service.admin.listSigningKeys()).keys
  assert.equal(keys.length, 1)
  assert.ok(text.includes(String(keys[0]?.kid)))
  for (const old of before) assert.ok(!text.includes(old))
  assert.deepEqual(JSON.parse(await tenantry('rotate', '--withdraw', '--json')).length, 1)
})
