import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { openConsole, samePage } from '../support/browser/console.ts'
import { listen } from '../support/events/event-reader.ts'
import { send } from '../support/http/wire.ts'
import { startTestService, type TestService, testAdminKey } from '../support/service.ts'
import { storeOperator } from '../support/stored-operator.ts'
import { until } from '../support/until.ts'

let service: TestService
let tenantId: string
before(async () => {
  service = await startTestService()
  tenantId = (await service.addTenant()).tenantId
})
after(() => service.close())

const minute = 60_000
const streams = () => [
  `/admin/testing-channel/stream?tenantId=${tenantId}`,
  `/admin/tenants/${tenantId}/events/stream`,
  '/admin/events/stream',
]

async function open(path: string, headers: Record<string, string>) {
  const reader = await listen(service.baseUrl + path, headers)
  assert.equal(reader.status, 200, path)
  let isOver = false
  void reader.ended.then(() => {
    isOver = true
  })
  return { path, reader, isOver: () => isOver }
}

/** Opens the streams; asserts that they are open after more than one poll, and end after `change`. */
async function endAfter(headers: Record<string, string>, change: () => unknown, paths = streams()): Promise<void> {
  const opened = await Promise.all(paths.map((path) => open(path, headers)))
  await new Promise((resolve) => setTimeout(resolve, 1_100))
  for (const { path, isOver } of opened) assert.ok(!isOver(), path)
  await change()
  await until(() => opened.every(({ isOver }) => isOver()))
  for (const { path, reader } of opened) assert.ok(reader.isWhole(), path)
}

const scopes = ['codes:read', 'events:read'] as const
const bearer = (key: string) => ({ authorization: `Bearer ${key}` })

async function signOutOf(baseUrl: string, cookie: string, query = ''): Promise<void> {
  const headers = [['cookie', cookie] as const, ...samePage]
  const { status } = await send(baseUrl, { method: 'DELETE', path: `/admin/session${query}`, headers })
  assert.equal(status, 204)
}

async function endBySignOut(query: string): Promise<void> {
  const { key } = await storeOperator(service, { scopes })
  for (const each of [key, testAdminKey]) {
    const [, cookie] = await openConsole(service.baseUrl, each)
    await endAfter({ cookie, 'sec-fetch-site': 'same-origin' }, () => signOutOf(service.baseUrl, cookie, query))
  }
}

// None changes what another one needs.
describe('streams end', { concurrency: true }, () => {
  test('when the operator is revoked', async () => {
    const { id, key } = await storeOperator(service, { scopes })
    await endAfter(bearer(key), () => service.admin.revokeOperator({ operatorId: id }))
  })

  test('when the key of the operator is rotated, even while the old key works', async () => {
    const { id, key } = await storeOperator(service, { scopes })
    await endAfter(bearer(key), () => service.admin.rotateOperatorKey({ operatorId: id }, { overlapHours: 1 }))
  })

  test('when another process revokes the operator, or ends the console session', async () => {
    await using other = await startTestService({ database: service.database, masterKeys: service.masterKeys })
    const { id, key } = await storeOperator(service, { scopes })
    await endAfter(bearer(key), () => other.admin.revokeOperator({ operatorId: id }))
    const [, cookie] = await openConsole(service.baseUrl, testAdminKey)
    await endAfter({ cookie, 'sec-fetch-site': 'same-origin' }, () => signOutOf(other.baseUrl, cookie))
  })

  test('when the operator expires', async () => {
    const { key } = await storeOperator(service, { scopes, expiresAt: service.clock.now() + minute })
    await endAfter(bearer(key), () => service.clock.advance(minute))
  })

  test('when the operator loses the scope', async () => {
    const { id, key } = await storeOperator(service, { scopes })
    await endAfter(bearer(key), () => service.admin.updateOperator({ operatorId: id }, { scopes: ['users:read'] }))
  })

  test('when the operator loses the tenant', async () => {
    const { id, key } = await storeOperator(service, { scopes, tenantIds: [tenantId] })
    const other = await service.addTenant()
    const change = () => service.admin.updateOperator({ operatorId: id }, { tenantIds: [other.tenantId] })
    await endAfter(bearer(key), change, streams().slice(0, 2))
  })

  test('when the console session signs out, of an operator and of the root key', () => endBySignOut(''))
})

describe('the streams of all console sessions end', () => {
  test('when one signs out all, of an operator and of the root key', () => endBySignOut('?all=true'))

  test('when they expire', async () => {
    const [, cookie] = await openConsole(service.baseUrl, testAdminKey)
    await endAfter({ cookie, 'sec-fetch-site': 'same-origin' }, () => service.clock.advance(30 * minute))
  })
})
