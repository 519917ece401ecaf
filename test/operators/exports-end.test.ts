import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { bytesOf, dial } from '../support/http/wire.ts'
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

/** Starts an export of which nothing is read. A client of HTTP would drop what it has not handed on when it breaks off. */
async function startExport(tenantId: string, key: string): Promise<Socket> {
  const socket = dial(service.baseUrl)
  const path = `/admin/tenants/${tenantId}/users/export`
  socket.write(bytesOf({ path, headers: [['authorization', `Bearer ${key}`]] }))
  await once(socket, 'readable')
  return socket
}

/** Asserts that the last line has the reason, and that users are missing. */
async function expectBrokenOff(socket: Socket): Promise<void> {
  let text = ''
  for await (const chunk of socket.setEncoding('utf8')) text += chunk
  const lines = text.split('\n').filter((line) => line.startsWith('{'))
  assert.equal(JSON.parse(lines.at(-1)!).error.code, 'INVALID_ADMIN_KEY')
  assert.ok(lines.length < 140)
}

const isRecordedAsIncomplete = async (tenantId: string): Promise<boolean> => {
  await service.service.services.events.drain()
  const { items } = await service.admin.listEvents({ tenantId }, { type: 'users.exported' })
  return items[0]?.details?.['complete'] === false
}

test('an export of which a client reads nothing ends when its operator is revoked, and its reason can be read later', async () => {
  const tenantId = await largeTenant()
  const { id: operatorId, key } = await storeOperator(service, { scopes: ['users:export'] })
  const socket = await startExport(tenantId, key)
  await service.admin.revokeOperator({ operatorId })
  await until(() => isRecordedAsIncomplete(tenantId), 20_000)
  await wait(1_500)
  await expectBrokenOff(socket)
})

test('an export that a client reads slowly ends when its operator is revoked, and is recorded as incomplete', async () => {
  const tenantId = await largeTenant()
  const { id: operatorId, key } = await storeOperator(service, { scopes: ['users:export'] })
  const socket = await startExport(tenantId, key)
  await wait(1_100)
  await service.admin.revokeOperator({ operatorId })
  await expectBrokenOff(socket)
  assert.ok(await isRecordedAsIncomplete(tenantId))
})
