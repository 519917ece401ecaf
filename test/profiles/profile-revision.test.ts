import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { changesNothing } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson } from '../support/person.ts'
import { refused } from '../support/refused.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

const components = [
  { name: 'nickname', type: 'text' as const },
  { name: 'age', type: 'integer' as const, rules: { min: 1 } },
]
const adminKey = () => service.adminKey
let service: TestService
let tenant: TestTenant
before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
  await service.admin.publishProfileSchema({ tenantId: tenant.tenantId }, { version: 'a', components })
})
after(() => service.close())

/** Reads and changes the profile of a new user, as the user or as the operator. */
async function openProfile(by: 'user' | 'operator') {
  const person = await addPerson(service, tenant)
  const path = by === 'user' ? '/account/profile' : `/admin/tenants/${tenant.tenantId}/users/${person.userId}/profile`
  const credentials =
    by === 'user' ? { key: tenant.key, token: (await person.signIn()).accessToken } : { token: adminKey() }
  const read = () => request(service, `GET ${path}`, credentials)
  const update = (body: object, ifMatch?: string) =>
    request(service, `PATCH ${path}`, {
      ...credentials,
      body,
      headers: ifMatch === undefined ? {} : { 'if-match': ifMatch },
    })
  const revision = async () => (await read()).headers.get('etag')
  return { person, read, update, revision }
}

const outcome = ({ status, body }: { status: number; body: { error?: { code: string } } }) =>
  body.error?.code ?? String(status)

for (const by of ['user', 'operator'] as const) {
  test(`the ${by} reads the revision of the profile, which every update increases`, async () => {
    const { read, update, revision } = await openProfile(by)
    assert.equal(await revision(), '"0"')
    const first = await update({ nickname: 'Ada' })
    assert.deepEqual([first.status, first.headers.get('etag')], [200, '"1"'])
    assert.equal(await revision(), '"1"')
    assert.equal((await update({})).headers.get('etag'), '"2"')
    const { headers, body } = await read()
    assert.deepEqual([headers.get('etag'), headers.get('cache-control')], ['"2"', 'no-store'])
    assert.equal('revision' in body.data, false)
  })

  test(`the ${by} changes only the revision that was read`, async () => {
    const { person, update } = await openProfile(by)
    const stored = () => storedProfile(person.userId)
    await changesNothing(service, async () => {
      for (const other of ['"1"', '*', 'W/"0"', '"00"', '"1", "2"', 'W/"0", "1"']) {
        assert.equal(outcome(await update({ nickname: 'lost' }, other)), 'PROFILE_CHANGED', other)
      }
    })
    assert.equal(outcome(await update({ nickname: 'Ada' }, '"0"')), '200')
    for (const other of ['"0"', '"2"', 'W/"1"', '"0", "2"']) {
      const refused = await update({ nickname: 'lost' }, other)
      assert.deepEqual([refused.status, outcome(refused)], [412, 'PROFILE_CHANGED'], other)
    }
    assert.deepEqual((await stored())[0]?.['content'], '{"nickname":"Ada"}')
    for (const [revision, current] of ['"1"', '*', '"7", "3"', 'W/"9",,"4"'].entries()) {
      const { status, headers } = await update({ age: revision + 1 }, current)
      assert.deepEqual([status, headers.get('etag')], [200, `"${revision + 2}"`], current)
    }
  })
}

const storedProfile = (userId: string) => service.database.ask('SELECT content FROM profiles WHERE user_id = ?', userId)

test('compares the revision before it judges the update, and after the request itself', async () => {
  const { update } = await openProfile('user')
  await update({ nickname: 'Ada' })
  assert.equal(outcome(await update({ age: 'x' }, '"7"')), 'PROFILE_CHANGED')
  const malformed = await update({ age: 'x' }, '1')
  assert.deepEqual(malformed.body.error.validation, { 'If-Match': 'Expected * or quoted revisions, such as "3"' })
  const { key } = tenant
  const headers = { 'if-match': '"7"' }
  const unauthenticated = await request(service, 'PATCH /account/profile', { key, body: {}, headers })
  assert.equal(outcome(unauthenticated), 'MISSING_USER_TOKEN')
})

test('of concurrent updates that expect the same revision one succeeds', async () => {
  const { update, read } = await openProfile('user')
  for (const revision of [0, 1, 2]) {
    const names = Array.from({ length: 12 }, (_, index) => `name ${revision} ${index}`)
    const outcomes = await Promise.all(names.map((nickname) => update({ nickname }, `"${revision}"`).then(outcome)))
    assert.deepEqual(outcomes.toSorted(), ['200', ...Array(11).fill('PROFILE_CHANGED')])
    const { headers, body } = await read()
    assert.equal(headers.get('etag'), `"${revision + 1}"`)
    assert.equal(body.data.nickname, names[outcomes.indexOf('200')])
  }
})

test('a second device does not overwrite what the first one stored', async () => {
  const { update, revision } = await openProfile('user')
  await update({ nickname: 'Ada', age: 36 })
  const [phone, laptop] = [await revision(), await revision()]
  assert.equal(outcome(await update({ nickname: 'Countess' }, phone!)), '200')
  assert.equal(outcome(await update({ nickname: 'Ada', age: 37 }, laptop!)), 'PROFILE_CHANGED')
  assert.equal(outcome(await update({ age: 37 }, (await revision())!)), '200')
})

test('the client sends and reports the revision', async () => {
  const person = await addPerson(service, tenant)
  const client = await person.client()
  const etags: string[] = []
  const onEtag = (etag: string) => void etags.push(etag)
  await client.getProfile({ onEtag })
  await client.updateProfile({ nickname: 'Ada' }, { ifMatch: etags[0]!, onEtag })
  await refused(client.updateProfile({ nickname: 'lost' }, { ifMatch: etags[0]!, onEtag }), 'PROFILE_CHANGED')
  await client.updateProfile({ nickname: 'Countess' }, { ifMatch: etags[1]! })
  await client.getAccount({ onEtag })
  assert.deepEqual(etags, ['"0"', '"1"'])
})

test('browsers may send and read the revision', async () => {
  const origin = 'https://app.example.com'
  await service.admin.updateConfiguration({ tenantId: tenant.tenantId }, { security: { allowedOrigins: [origin] } })
  const person = await addPerson(service, tenant)
  const { accessToken: token } = await person.signIn()
  const headers = { origin, 'if-match': '"0"' }
  const changed = await request(service, 'PATCH /account/profile', { key: tenant.key, token, body: {}, headers })
  assert.deepEqual([changed.status, changed.headers.get('etag')], [200, '"1"'])
  assert.match(changed.headers.get('access-control-expose-headers') ?? '', /\bETag\b/)
  const preflight = await fetch(`${service.baseUrl}/account/profile`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'if-match' },
  })
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /\bIf-Match\b/)
})
