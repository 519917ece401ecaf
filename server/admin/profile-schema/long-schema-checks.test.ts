import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import type { ProfileSchemaInput } from '../../../contract/profile-schema.ts'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import type { ProfileStore } from '../../profiles/profile-store.ts'
import { newTenantWith, storeProfiles } from './stored-profiles.testkit.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.close())

const newTenant = (schema: ProfileSchemaInput) => newTenantWith(service, schema)

/** A check that goes on until the test ends it: each page of profiles waits for its turn. */
async function slowCheck() {
  const tenantId = await newTenant({ components: [{ name: 'a', type: 'text' }] })
  const all = Array.from({ length: 500 }, (_, index) => ({ a: `${index}` }))
  await storeProfiles(service, tenantId, '2', all)
  const { storage } = service.service.services
  const { prototype } = storage.forTenant(tenantId).profiles.constructor as { prototype: ProfileStore }
  const { list } = prototype
  let pages = 0
  const stop = mock.method(prototype, 'list', async function (this: ProfileStore, page: Parameters<typeof list>[0]) {
    pages++
    await setTimeout(20)
    return list.call(this, page)
  })
  const body = JSON.stringify({ components: [{ name: 'a', type: 'text' }] })
  return { tenantId, body, pages: () => pages, restore: () => stop.mock.restore() }
}

test('ends a check when its client has gone', async () => {
  const { tenantId, body, pages, restore } = await slowCheck()
  const gone = new AbortController()
  const url = `${service.baseUrl}/admin/tenants/${tenantId}/profile-schema/check`
  const headers = { authorization: `Bearer ${service.adminKey}`, 'content-type': 'application/json' }
  const answer = fetch(url, { method: 'POST', headers, body, signal: gone.signal })
  while (pages() < 1) await setTimeout(5)
  gone.abort()
  await assert.rejects(answer, { name: 'AbortError' })
  await setTimeout(300)
  const read = pages()
  assert.ok(read < 7, `${read} of 7 pages were read`)
  restore()
})

test('logs how far a long check is', async () => {
  const { tenantId, body, restore } = await slowCheck()
  const lines: unknown[] = []
  const info = mock.method(service.service.services.logger, 'info', (...line: unknown[]) => void lines.push(line))
  let time = performance.now()
  const clock = mock.method(performance, 'now', () => {
    time += 1_000
    return time
  })
  await service.admin.checkProfileSchema({ tenantId }, JSON.parse(body))
  for (const mocked of [info, clock]) mocked.mock.restore()
  restore()
  const [line] = lines as [{ tenantId: string; checked: number; profiles: number }, string][]
  assert.equal(line?.[1], 'checking profiles against a schema')
  assert.deepEqual([line[0].tenantId, line[0].profiles], [tenantId, 500])
  assert.ok(line[0].checked >= 25 && line[0].checked < 500)
})

test('does not block other requests during a long check', async () => {
  const tenantId = await newTenant({ components: [{ name: 'a', type: 'text' }] })
  const value = 'ab'.repeat(200)
  await storeProfiles(
    service,
    tenantId,
    '2',
    Array.from({ length: 400 }, () => ({ a: value })),
  )
  const components = [{ name: 'a', type: 'text' as const, rules: { pattern: '[ab]*a[ab]{99}[!?]$', maxLength: 400 } }]
  const started = performance.now()
  let turns = 0
  let turning = setImmediate(function turn() {
    turns++
    turning = setImmediate(turn)
  })
  const report = await service.admin.checkProfileSchema({ tenantId }, { components })
  clearImmediate(turning)
  const took = performance.now() - started
  assert.equal(report.failingProfiles, 400)
  assert.ok(took > 50, `the pattern is meant to be slow, but all took ${took} ms`)
  // Eleven when it does not yield.
  assert.ok(turns > 15, `the event loop turned ${turns} times in ${took} ms`)
})
