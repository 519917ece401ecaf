import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { sealEvents } from '../support/events/sealed-events.ts'
import { startTestService, type TestService } from '../support/service.ts'

let service: TestService
/** Two tenants with rows in every list. */
let tenantIds: string[]
before(async () => {
  service = await startTestService({ limitsText: 'all=off' })
  const { admin } = service
  tenantIds = []
  for (const name of ['One', 'Two']) {
    const { tenantId, key } = await service.addTenant()
    const app = createTenantryClient({ baseUrl: service.baseUrl, tenantKey: key })
    tenantIds.push(tenantId)
    for (const user of ['a', 'b', 'c']) await admin.createUser({ tenantId }, { email: `${user}-${name}@example.com` })
    for (const field of ['nick', 'city', 'note'])
      await admin.publishProfileSchema({ tenantId }, { components: [{ name: field, type: 'text' }] })
    for (let count = 0; count < 3; count++) {
      await admin.createTenantKey({ tenantId }, { name })
      await admin.createOperator({ name, role: 'viewer' })
      await app.issueOtp({ scope: 'otp_signin', email: `${name}-${count}@example.com` })
    }
    await sealEvents(service, tenantId, Array(4).fill({ actorId: name, subjectId: name }), 1)
  }
  await service.service.services.delivery.drain()
  await service.service.services.events.drain()
})
after(() => service.close())

/** Every list of operators that has pages and needs no id but the tenant's. */
const lists = Object.entries<Operation>(operations)
  .filter(([, { auth, method, query }]) => auth === 'admin' && method === 'GET' && 'cursor' in (query?.shape ?? {}))
  .map(([, { path }]) => path)
  .filter((path) => !/:(?!tenantId)/.test(path))

async function get(path: string, tenantId: string, query: string): Promise<{ status: number; text: string }> {
  const answer = await fetch(`${service.baseUrl}${path.replace(':tenantId', tenantId)}?${query}`, {
    headers: { authorization: `Bearer ${service.adminKey}` },
  })
  return { status: answer.status, text: await answer.text() }
}

async function firstCursor(path: string, tenantId: string): Promise<string> {
  const { status, text } = await get(path, tenantId, 'limit=1')
  assert.equal(status, 200, text)
  const { nextCursor } = JSON.parse(text).data
  assert.equal(typeof nextCursor, 'string', `${path} has one page`)
  return nextCursor
}

const cursors = async () =>
  Promise.all(lists.flatMap((path) => tenantIds.map(async (of) => ({ path, of, cursor: await firstCursor(path, of) }))))

test('there are lists of tenants, users, operators and events to try', () => {
  for (const path of ['/admin/tenants', '/admin/operators', '/admin/events', '/admin/tenants/:tenantId/events'])
    assert.ok(
      lists.some((list) => list === path),
      path,
    )
})

test('a cursor that is cut, longer or not in its spelling is refused or shows the same tenant’s rows', async () => {
  for (const { path, of, cursor } of await cursors()) {
    const broken = [
      ...Array.from({ length: cursor.length - 1 }, (_, length) => cursor.slice(0, length + 1)),
      ...[`${cursor}A`, `${cursor}=`, ` ${cursor}`, `${cursor}\n`, `${cursor}\0`, cursor.replace(/.$/, '!')],
      ...[cursor.toUpperCase(), cursor.toLowerCase(), [...cursor].reverse().join(''), `${cursor}${cursor}`],
    ].filter((text) => text !== cursor)
    for (const text of broken) {
      const { status, text: answer } = await get(path, of, `limit=1&cursor=${encodeURIComponent(text)}`)
      assert.ok(status === 200 || status === 400, `${path} ${text}: ${answer}`)
      if (status === 400) assert.deepEqual(Object.keys(JSON.parse(answer).error.validation), ['cursor'], answer)
    }
  }
})

/** What a tenant has in a list. */
async function itemsIn(path: string, tenantId: string): Promise<string[]> {
  const { items } = JSON.parse((await get(path, tenantId, 'limit=200')).text).data as { items: object[] }
  return items.map((item) => JSON.stringify(item))
}

test('a cursor of another list or another tenant is refused, or shows nothing but the rows of the list', async () => {
  const all = await cursors()
  for (const path of lists) {
    for (const tenantId of tenantIds) {
      const own = new Set(await itemsIn(path, tenantId))
      for (const { cursor } of all) {
        const { status, text } = await get(path, tenantId, `limit=200&cursor=${encodeURIComponent(cursor)}`)
        assert.ok(status === 200 || status === 400, `${path}: ${text}`)
        if (status === 400) continue
        for (const item of JSON.parse(text).data.items)
          assert.ok(own.has(JSON.stringify(item)), `${path} of ${tenantId} shows ${JSON.stringify(item)}`)
      }
    }
  }
})
