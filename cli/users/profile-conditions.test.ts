import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestService, type TestService } from '../../test/support/service.ts'
import { type } from '../terminal/terminal.testkit.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const components = [
  { name: 'city', type: 'text' as const, searchable: true },
  { name: 'age', type: 'integer' as const, searchable: true },
]

test('user list finds users by profile fields', async () => {
  const { tenantId } = await service.addTenant()
  await service.admin.publishProfileSchema({ tenantId }, { components })
  const profiles = { ann: { city: 'Paris', age: 30 }, bob: { city: 'Paris = Lutetia', age: 17 }, eve: { age: 40 } }
  for (const [name, profile] of Object.entries(profiles)) {
    await service.admin.createUser({ tenantId }, { email: `${name}@example.com`, profile })
  }
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey }
  const list = (...words: string[]) => type(['user', 'list', '--tenant', tenantId, ...words], { env })
  const found = async (...words: string[]) => {
    const { output, exitCode, errors } = await list(...words, '--json')
    assert.equal(exitCode, 0, errors)
    return (JSON.parse(output) as { email: string }[]).map(({ email }) => email.split('@')[0])
  }
  assert.deepEqual(await found('--profile', 'city=PARIS'), ['ann'])
  assert.deepEqual(await found('--profile', 'city=Paris = Lutetia'), ['bob'])
  assert.deepEqual(await found('--profile', 'age.min=18', '--profile', 'age.max=40'), ['ann', 'eve'])
  assert.deepEqual(await found('--profile', 'city.prefix=p', '--profile=age.max=20'), ['bob'])
  assert.deepEqual(await found('--profile', 'city=paris', '--email', 'eve@example.com'), [])
  assert.equal((await list('--profile', 'city=rome')).output, 'No matching users.\n')

  const refused = await list('--profile', 'town=paris')
  assert.equal(refused.exitCode, 1)
  assert.match(refused.errors, /profile\.town.*Not searchable/)
  for (const words of [['city'], ['=paris'], ['city='], ['city=a', '--profile', 'city=b']]) {
    const { exitCode, errors } = await list('--profile', ...words)
    assert.equal(exitCode, 2, errors)
    assert.match(errors, /--profile <field=value>/)
  }
})
