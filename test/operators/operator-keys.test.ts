import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { issueOperatorKey, replaceOperatorKey } from '../../server/operators/operator-key.ts'
import { issueTenantKey } from '../../server/tenants/tenant-key.ts'
import { openConsole } from '../support/browser/console.ts'
import { assertRefusal, assertSuccess } from '../support/http/envelope.ts'
import { send, type WireAnswer } from '../support/http/wire.ts'
import { startTestService, type TestService, testAdminKey } from '../support/service.ts'
import { storeOperator } from '../support/stored-operator.ts'

const minute = 60_000

let service: TestService
before(async () => {
  service = await startTestService({ limitsText: 'admin-key=off' })
})
after(() => service.close())

const ask = (key: string, path = '/admin/tenants', of: TestService = service): Promise<WireAnswer> =>
  send(of.baseUrl, { path, headers: [['authorization', `Bearer ${key}`]] })
const storeOf = (of = service) => of.service.services.storage.system.operators

test('an operator’s key has the documented format', () => {
  const { id, text } = issueOperatorKey(0)
  assert.match(text, /^op_[0-9A-HJKMNP-TV-Z]{26}_[0-9A-Za-z]{43}_[0-9A-Za-z]{6}$/)
  assert.ok(text.startsWith(`op_${id}_`) && replaceOperatorKey(id).text.startsWith(`op_${id}_`))
})

test('refuses every other key with one answer', async () => {
  const { id, key } = await storeOperator(service, { scopes: ['*'] })
  assertSuccess(await ask(key), 200)
  const expired = await storeOperator(service, { scopes: ['*'], expiresAt: service.clock.now() })
  const revoked = await storeOperator(service, { scopes: ['*'], revokedAt: service.clock.now() - 1 })
  const wrong = {
    malformed: key.slice(0, -1),
    'wrong checksum': `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`,
    'of no operator': issueOperatorKey(service.clock.now()).text,
    'another secret of an operator': replaceOperatorKey(id).text,
    expired: expired.key,
    revoked: revoked.key,
    'a tenant key': issueTenantKey('secret', 0).text,
    'upper case': key.toUpperCase(),
    'the root key and more': `${testAdminKey}x`,
    '': '',
  }
  for (const [what, text] of Object.entries(wrong)) {
    const answer = await ask(text)
    assertRefusal(answer, 'INVALID_ADMIN_KEY')
    assert.doesNotMatch(answer.text, /op_|expired at|revoked at/, what)
  }
  const twice: [string, string][] = [
    ['authorization', `Bearer ${key}`],
    ['authorization', `Bearer ${key}`],
  ]
  assertRefusal(await send(service.baseUrl, { path: '/admin/tenants', headers: twice }), 'INVALID_ADMIN_KEY')
  assertRefusal(await send(service.baseUrl, { path: '/admin/tenants' }), 'MISSING_ADMIN_KEY')
})

test('a key works until its expiry, and until the operator is revoked in any process', async () => {
  await using other = await startTestService({ database: service.database, masterKeys: service.masterKeys })
  const { id, key } = await storeOperator(service, { scopes: ['*'], expiresAt: service.clock.now() + minute })
  service.clock.advance(minute - 1)
  assertSuccess(await ask(key), 200)
  service.clock.advance(1)
  assertRefusal(await ask(key), 'INVALID_ADMIN_KEY')

  const lasting = await storeOperator(service, { scopes: ['*'] })
  assertSuccess(await ask(lasting.key, '/admin/tenants', other), 200)
  await storeOf().revoke(lasting.id, service.clock.now())
  for (const each of [service, other]) assertRefusal(await ask(lasting.key, undefined, each), 'INVALID_ADMIN_KEY')
  assert.equal((await storeOf().find(id))?.revokedAt, null)
})

test('a replaced key works until the end of the overlap, and no other does', async () => {
  const { id, key } = await storeOperator(service, { scopes: ['*'] })
  const { text, secretHash } = replaceOperatorKey(id)
  await storeOf().rotate(id, secretHash, service.clock.now() + minute)
  service.clock.advance(minute - 1)
  for (const each of [key, text]) assertSuccess(await ask(each), 200)
  assertRefusal(await ask(replaceOperatorKey(id).text), 'INVALID_ADMIN_KEY')
  service.clock.advance(1)
  assertRefusal(await ask(key), 'INVALID_ADMIN_KEY')
  assertSuccess(await ask(text), 200)
})

test('without a root key only operators are admitted', async () => {
  await using alone = await startTestService({ adminKey: null })
  for (const key of [testAdminKey, 'null', 'off', 'root'])
    assertRefusal(await ask(key, undefined, alone), 'INVALID_ADMIN_KEY')
  const { key } = await storeOperator(alone, { scopes: ['tenants:read'] })
  assertSuccess(await ask(key, undefined, alone), 200)
})

test('an operator bound to tenants lists only these, page by page', async () => {
  const ids: string[] = []
  for (let count = 0; count < 4; count++) ids.push((await service.admin.createTenant({ name: `Tenant ${count}` })).id)
  ids.sort()
  await service.admin.deleteTenant({ tenantId: ids[2]! })
  const tenantIds = [ids[3]!, ids[2]!, ids[0]!]
  const { key } = await storeOperator(service, { scopes: ['tenants:read'], tenantIds })
  const { items, nextCursor } = assertSuccess(await ask(key, '/admin/tenants?limit=1'), 200) as {
    items: { id: string }[]
    nextCursor: string
  }
  assert.deepEqual(
    items.map(({ id }) => id),
    [ids[0]],
  )
  const rest = assertSuccess(await ask(key, `/admin/tenants?limit=1&cursor=${nextCursor}`), 200)
  assert.deepEqual([(rest['items'] as { id: string }[]).map(({ id }) => id), rest['nextCursor']], [[ids[3]], null])
})

test('stores the last use of a key or of its console session once a minute, not with the request', async () => {
  const { id, key } = await storeOperator(service, { scopes: ['tenants:read'] })
  assertSuccess(await ask(key), 200)
  const used = service.clock.now()
  assert.equal((await storeOf().find(id))?.lastUsedAt, null)
  await service.service.services.housekeeping.run()
  assert.equal((await storeOf().find(id))?.lastUsedAt, used)
  const cookie = await openConsole(service.baseUrl, key)
  service.clock.advance(minute)
  assertSuccess(await send(service.baseUrl, { path: '/admin/tenants', headers: [cookie] }), 200)
  await service.service.services.housekeeping.run()
  assert.equal((await storeOf().find(id))?.lastUsedAt, used + minute)
})
