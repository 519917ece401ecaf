import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { startTestService, type TestService } from '../support/service.ts'
import { storeOperator } from '../support/stored-operator.ts'
import { until } from '../support/until.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

/** A tenant whose export is larger than what the sockets of a connection buffer. */
async function largeTenant(): Promise<string> {
  const { tenantId } = await service.addTenant()
  const names = Array.from({ length: 3 }, (_, index) => `f${index}`)
  const components = names.map((name) => ({ name, type: 'multiline' as const }))
  await service.admin.publishProfileSchema({ tenantId }, { components })
  const profile = Object.fromEntries(names.map((name) => [name, 'x'.repeat(20_000)]))
  const rows = Array.from({ length: 140 }, (_, n) => JSON.stringify({ email: `user${n}@example.com`, profile }))
  const answer = await fetch(`${service.baseUrl}/admin/tenants/${tenantId}/users/import`, {
    method: 'POST',
    headers: { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/x-ndjson' },
    body: rows.join('\n'),
  })
  assert.match(await answer.text(), /"imported":140,/)
  return tenantId
}

test('an export of which a client reads nothing ends when its operator is revoked', async () => {
  const tenantId = await largeTenant()
  const { id: operatorId, key } = await storeOperator(service, { scopes: ['users:export'] })
  const url = `${service.baseUrl}/admin/tenants/${tenantId}/users/export`
  const sent = request(url, { headers: { authorization: `Bearer ${key}` } }).end()
  await once(sent, 'response')
  await service.admin.revokeOperator({ operatorId })
  await until(async () => {
    await service.service.services.events.drain()
    const { items } = await service.admin.listEvents({ tenantId }, { type: 'users.exported' })
    return items[0]?.details?.['complete'] === false
  }, 20_000)
  sent.destroy()
})

test('an export that a client reads slowly ends when its operator is revoked, and is recorded as incomplete', async () => {
  const tenantId = await largeTenant()
  const { id: operatorId, key } = await storeOperator(service, { scopes: ['users:export'] })
  const url = `${service.baseUrl}/admin/tenants/${tenantId}/users/export`
  const sent = request(url, { headers: { authorization: `Bearer ${key}` } }).end()
  const [answer] = await once(sent, 'response')
  await wait(1_100)
  await service.admin.revokeOperator({ operatorId })
  let text = ''
  await assert.rejects(async () => {
    for await (const chunk of answer.setEncoding('utf8')) text += chunk
  })
  const lines = text.trim().split('\n')
  assert.equal(JSON.parse(lines.at(-1)!).error.code, 'INVALID_ADMIN_KEY')
  assert.ok(lines.length < 140)
  await service.service.services.events.drain()
  const { items } = await service.admin.listEvents({ tenantId }, { type: 'users.exported' })
  assert.equal(items[0]?.details?.['complete'], false)
})
