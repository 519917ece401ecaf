import assert from 'node:assert/strict'
import { test } from 'node:test'
import { storedRow } from '../support/databases/stored-rows.ts'
import { request } from '../support/http/raw-request.ts'
import { addPerson } from '../support/person.ts'
import { startTestService } from '../support/service.ts'

test('a PATCH that conflicts on every attempt → 503 SERVICE_UNAVAILABLE with Retry-After, and stores nothing', async () => {
  // Simulates another writer that changes the profile between each read and the write that depends on it.
  const rewrite = (name: string, sql: string) => (name === 'profile.replace' ? `${sql} AND 1 = 0` : sql)
  await using service = await startTestService({ hooks: { rewrite } })
  const tenant = await service.addTenant()
  const { tenantId } = tenant
  // With an event, PostgreSQL is sent another statement.
  await service.admin.updateConfiguration({ tenantId }, { events: { detail: 'off' } })
  const components = [{ name: 'nick', type: 'text' as const }]
  await service.admin.publishProfileSchema({ tenantId }, { version: '1.0', components })
  const person = await addPerson(service, tenant)
  const { accessToken: token } = await person.signIn()
  const patch = (nick: string) => request(service, 'PATCH /account/profile', { key: tenant.key, token, body: { nick } })
  assert.equal((await patch('first')).status, 200)
  const { status, body, headers } = await patch('second')
  assert.deepEqual([status, body.error.code, headers.get('retry-after')], [503, 'SERVICE_UNAVAILABLE', '1'])
  assert.deepEqual(JSON.parse(String(storedRow(service, 'SELECT content FROM profiles')['content'])), { nick: 'first' })
})
