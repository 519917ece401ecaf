import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { RecordedEvent } from '../../contract/events.ts'
import { ulid } from '../../server/core/ids.ts'
import { queuedEvent, sealEvents } from '../support/events/sealed-events.ts'
import { request } from '../support/http/raw-request.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let tenant: TestTenant
let other: TestTenant
before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
  other = await service.addTenant()
})
after(() => service.close())

const ids = ({ items }: { items: readonly { id: string }[] }) => items.map(({ id }) => id)
const list = (query: Record<string, string> = {}, { tenantId } = tenant) =>
  service.admin.listEvents({ tenantId }, query)

/** The ids on all pages. */
async function allPages(query: Record<string, string>): Promise<string[]> {
  const all: string[] = []
  for (let cursor: string | null = null; ; ) {
    const page = await list({ ...query, ...(cursor !== null && { cursor }) })
    all.push(...ids(page))
    if (page.nextCursor === null) return all
    cursor = page.nextCursor
  }
}

const get = (line: string) =>
  request(service, `GET ${line}`, { headers: { authorization: `Bearer ${service.adminKey}` } })

test('lists sealed events newest first, as the contract declares them', async () => {
  const [event] = await sealEvents(service, tenant.tenantId, [
    {
      type: 'user.email_changed',
      actorId: 'ada',
      subjectId: 'ada',
      public: '{"changed":["email"],"details":{"method":"code"},"session":"s"}',
      personal: '{"changes":{"email":{"after":"b","before":"a"}},"network":"192.0.2.0/24","salt":"x"}',
    },
  ])
  const { items } = await list({ limit: '1' })
  assert.deepEqual(
    items.map((item) => RecordedEvent.parse(item)),
    items,
  )
  assert.deepEqual(items, [
    {
      ...{ id: event!.id, sequence: items[0]!.sequence, type: 'user.email_changed', tenantId: tenant.tenantId },
      at: new Date(event!.at).toISOString(),
      actor: { kind: 'user', id: 'ada', session: 's' },
      subject: { kind: 'user', id: 'ada' },
      outcome: 'done',
      details: { method: 'code' },
      changes: { email: { after: 'b', before: 'a' } },
      where: { network: '192.0.2.0/24', userAgent: null, requestId: 'request' },
    },
  ])
})

test('an event is listed once it is sealed', async () => {
  const event = queuedEvent(service)
  const { storage, events } = service.service.services
  await storage.forTenant(tenant.tenantId).events.add(event)
  assert.ok(!ids(await list()).includes(event.id))
  await events.drain()
  assert.ok(ids(await list()).includes(event.id))
})

test('shows the names of what changed at an erased person, without values and network', async () => {
  const refused = { outcome: 'refused', type: 'sign_in.refused' } as const
  const names = '{"changed":["email"],"code":"INVALID_CREDENTIALS"}'
  await sealEvents(service, tenant.tenantId, [{ ...refused, public: names, personal: null }])
  const [item] = (await list({ limit: '1' })).items
  assert.deepEqual(
    [item?.code, item?.changes, item?.where],
    ['INVALID_CREDENTIALS', { email: {} }, { network: null, userAgent: null, requestId: 'request' }],
  )
})

test('applies each filter, and all of them together', async () => {
  const [actorId, subjectId, requestId] = [ulid(0), ulid(1), ulid(2)]
  const [one, two, three] = await sealEvents(service, tenant.tenantId, [
    { actorId, subjectId, type: 'otp.verified' },
    { actorId, type: 'otp.locked', outcome: 'refused', requestId },
    { subjectId, type: 'tenant.updated', requestId },
  ])
  const [first, second, third] = [one!.id, two!.id, three!.id]
  const since = new Date(two!.at).toISOString()
  const cases: [Record<string, string>, string[]][] = [
    [{ actor: actorId }, [second, first]],
    [{ subject: subjectId }, [third, first]],
    [{ requestId }, [third, second]],
    [{ requestId, outcome: 'refused' }, [second]],
    [{ actor: actorId, type: 'otp.*' }, [second, first]],
    [{ actor: actorId, type: 'otp.locked' }, [second]],
    [{ actor: actorId, subject: subjectId }, [first]],
    [{ since, requestId }, [third, second]],
    [{ until: since, actor: actorId }, [first]],
    [{ since: since.replace('Z', '+00:00'), subject: subjectId }, [third]],
    [{ actor: actorId, subject: subjectId, type: 'otp.verified', outcome: 'done', until: since }, [first]],
    [{ actor: 'unknown' }, []],
  ]
  for (const [query, expected] of cases) {
    assert.deepEqual(ids(await list(query)), expected, JSON.stringify(query))
    assert.deepEqual(await allPages({ ...query, limit: '1' }), expected, JSON.stringify(query))
  }
})

test('pages that are read while events are added have each earlier event once', async () => {
  const subjectId = ulid(3)
  const added = await sealEvents(service, tenant.tenantId, Array(7).fill({ subjectId }))
  const queries: Record<string, string>[] = [{ subject: subjectId }, { subject: subjectId, type: 'session.*' }]
  for (const query of queries) {
    const read: string[] = []
    for (let cursor: string | null = null; ; ) {
      const page = await list({ ...query, limit: '2', ...(cursor !== null && { cursor }) })
      read.push(...ids(page))
      if (page.nextCursor === null) break
      cursor = page.nextCursor
      await sealEvents(service, tenant.tenantId, [{ subjectId }])
    }
    const known = new Set(added.map(({ id }) => id))
    assert.deepEqual(
      read.filter((id) => known.has(id)),
      added.map(({ id }) => id).toReversed(),
    )
    assert.equal(new Set(read).size, read.length)
  }
})

test('refuses filters that match no type, repeated and unknown ones, and cursors that no page returned', async () => {
  const log = `/admin/tenants/${tenant.tenantId}/events`
  const rule = 'Validation rule not met'
  const unknownType = 'Unknown event type; name a type such as session.ended, or a group of types such as session.*'
  const long = 'x'.repeat(65)
  const cases: [string, Record<string, string>][] = [
    ...['session', 'session.', 'session.x', 'sessions.*', '*', '.*', 'session.*.*', 'SESSION.*', '%00', 'session%'].map(
      (type): [string, Record<string, string>] => [`type=${encodeURIComponent(type)}`, { type: unknownType }],
    ),
    ['type=session.*&type=user.*', { type: 'Expected string, received array' }],
    ['actor=a&actor=b', { actor: 'Expected string, received array' }],
    ['outcome=done&outcome=refused', { outcome: 'Invalid enum value' }],
    ['outcome=failed', { outcome: 'Invalid enum value' }],
    ['actor=%00', { actor: 'Invalid string' }],
    [`subject=${long}`, { subject: 'String must contain at most 64 character(s)' }],
    ['since=yesterday', { since: rule }],
    ['until=2026-01-01', { until: rule }],
    ['limit=0', { limit: rule }],
    ['limit=201', { limit: rule }],
    ['limit=1&limit=1', { limit: 'Expected string, received array' }],
    ['actors=a', { actors: 'Unknown parameter' }],
    ['cursor=x', { cursor: rule }],
    [`cursor=${Buffer.from(`${ulid(0)} `).toString('base64url')}`, { cursor: rule }],
    [`cursor=${Buffer.from(ulid(0)).toString('base64')}=`, { cursor: rule }],
    [`cursor=${Buffer.from("' OR 1=1 --").toString('base64url')}`, { cursor: rule }],
  ]
  for (const path of [log, '/admin/events']) {
    for (const [query, validation] of cases) {
      const { status, body } = await get(`${path}?${query}`)
      assert.deepEqual([status, body.error.code, body.error.validation], [400, 'VALIDATION_ERROR', validation], query)
    }
  }
  for (const [query, validation] of [
    ['cursor=x', { cursor: rule }],
    [`cursor=${Buffer.from('0').toString('base64url')}`, { cursor: rule }],
    [`cursor=${Buffer.from('1e3').toString('base64url')}`, { cursor: rule }],
    ['type=session.*', { type: 'Unknown parameter' }],
  ] as const) {
    const { status, body } = await get(`${log}/checkpoints?${query}`)
    assert.deepEqual([status, body.error.validation], [400, validation], query)
  }
})

test('reaches no events of other tenants and of the deployment, with their ids, actors and cursors (threat L11)', async () => {
  const same = { actorId: 'shared-actor', subjectId: 'shared-subject', requestId: 'shared-request' }
  const [own] = await sealEvents(service, tenant.tenantId, [same])
  const [theirs] = await sealEvents(service, other.tenantId, [same])
  const [deployments] = await sealEvents(service, null, [{ ...same, type: 'operator.created' }])
  const filters: Record<string, string>[] = [
    { actor: same.actorId },
    { subject: same.subjectId },
    { requestId: same.requestId },
  ]
  for (const filter of filters) {
    assert.deepEqual(ids(await list(filter)), [own!.id])
    assert.deepEqual(ids(await list(filter, other)), [theirs!.id])
    const { items } = await service.admin.listDeploymentEvents(filter)
    assert.deepEqual([ids({ items }), items[0]?.tenantId], [[deployments!.id], null])
  }
  const { nextCursor } = await list({ limit: '1' }, other)
  const after = await list({ cursor: nextCursor!, limit: '200' })
  assert.ok(after.items.length > 0)
  assert.ok(after.items.every(({ tenantId }) => tenantId === tenant.tenantId))
  const unknown = await get(`/admin/tenants/${ulid(0)}/events`)
  assert.deepEqual([unknown.status, unknown.body.error.code], [404, 'TENANT_NOT_FOUND'])
})

test('lists checkpoints newest first, in pages, each linked to the one before', async () => {
  const { tenantId } = await service.addTenant()
  await service.service.services.events.drain()
  await sealEvents(service, tenantId, Array(5).fill({}), 1)
  const checkpoints: { batch: number; previous: string; hash: string; tenantId: string | null }[] = []
  for (let cursor: string | null = null; ; ) {
    const page = await service.admin.listCheckpoints({ tenantId }, { limit: '2', ...(cursor !== null && { cursor }) })
    checkpoints.push(...page.items)
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  assert.deepEqual(
    checkpoints.map(({ batch }) => batch),
    Array.from({ length: checkpoints.length }, (_, index) => checkpoints.length - index),
  )
  assert.ok(checkpoints.length >= 5)
  for (const [index, { previous, tenantId: of }] of checkpoints.entries())
    assert.deepEqual([previous, of], [checkpoints[index + 1]?.hash ?? '', tenantId])
  const { items } = await service.admin.listDeploymentCheckpoints()
  assert.equal(items.at(-1)?.batch, 1)
  assert.equal(items[0]?.tenantId, null)
})
