import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { Activity } from '../../contract/accounts/activity.ts'
import { ulid } from '../../server/core/ids.ts'
import type { QueuedEvent } from '../../server/events/event.ts'
import { sealEvents } from '../support/events/sealed-events.ts'
import { addPerson } from '../support/person.ts'
import { startTestService, type TestService, type TestTenant } from '../support/service.ts'

let service: TestService
let tenant: TestTenant
before(async () => {
  service = await startTestService()
  tenant = await service.addTenant()
})
after(() => service.close())

const day = 86_400_000

/** A signed-in user, without the events of signing up. */
async function signedIn() {
  const person = await addPerson(service, tenant)
  const { accessToken } = await person.signIn()
  await service.service.services.events.drain()
  const client = tenant.client.withSession(accessToken)
  const before = new Set((await client.listActivity({ limit: '200' })).items.map(({ id }) => id))
  const seal = (...changes: Partial<QueuedEvent>[]) => sealEvents(service, tenant.tenantId, changes)
  const activity = async () => {
    const { items } = await client.listActivity({ limit: '200' })
    return items.filter(({ id }) => !before.has(id))
  }
  return { ...person, client, seal, activity }
}

const masked = '{"email":{"after":"b•••","before":"a•••"}}'
const personal = `{"changes":${masked},"network":"198.51.100.0/24","salt":"x","userAgent":"Chrome 142 on macOS"}`

test('shows a user their own acts, with network, browser and session', async () => {
  const { userId, seal, activity } = await signedIn()
  const [event] = await seal({
    ...{ type: 'user.email_changed', actorId: userId, subjectId: userId, personal },
    public: '{"changed":["email"],"details":{"method":"code"},"session":"own-session"}',
  })
  const items = await activity()
  assert.deepEqual(
    items.map((item) => Activity.parse(item)),
    items,
  )
  assert.deepEqual(items, [
    {
      ...{ id: event!.id, type: 'user.email_changed', at: new Date(event!.at).toISOString(), outcome: 'done' },
      actor: { kind: 'user', session: 'own-session' },
      details: { method: 'code' },
      changes: { email: { after: 'b•••', before: 'a•••' } },
      where: { network: '198.51.100.0/24', userAgent: 'Chrome 142 on macOS' },
    },
  ])
})

test('shows where a refused sign-in came from, which no signed-in user made', async () => {
  const { userId, seal, activity } = await signedIn()
  const refused = { type: 'sign_in.refused', outcome: 'refused', subjectId: userId } as const
  await seal(
    { ...refused, actorKind: 'tenantKey', actorId: 'the-key', public: '{"code":"INVALID_CREDENTIALS"}' },
    { ...refused, actorKind: 'anonymous', actorId: null, public: '{"code":"INVALID_CREDENTIALS"}' },
  )
  const items = await activity()
  assert.deepEqual(
    items.map(({ actor, code, where }) => [actor, code, where.network]),
    [
      [{ kind: 'anonymous' }, 'INVALID_CREDENTIALS', '203.0.113.0/24'],
      [{ kind: 'tenantKey' }, 'INVALID_CREDENTIALS', '203.0.113.0/24'],
    ],
  )
})

test('shows what others changed of an account, and names no operator, no other user and no application', async () => {
  const { userId, seal, activity } = await signedIn()
  const secretive = { subjectId: userId, personal, public: '{"changed":["email"],"session":"their-session"}' }
  await seal(
    { ...secretive, type: 'user.updated', actorKind: 'operator', actorId: 'the-operator' },
    { ...secretive, type: 'user.deleted', actorKind: 'user', actorId: 'another-user' },
    { ...secretive, type: 'session.ended', actorKind: 'system', actorId: null },
    { ...secretive, type: 'session.ended', actorKind: 'tenantKey', actorId: 'the-key' },
  )
  const items = await activity()
  assert.deepEqual(
    items.map(({ actor }) => actor),
    [{ kind: 'tenantKey' }, { kind: 'system' }, { kind: 'user' }, { kind: 'operator' }],
  )
  for (const { changes } of items) assert.deepEqual(changes, { email: { before: 'a•••', after: 'b•••' } })
  for (const { where } of items.slice(1)) assert.deepEqual(where, { network: null, userAgent: null })
  const text = JSON.stringify(items)
  for (const secret of ['the-operator', 'another-user', 'the-key', 'their-session', 'request'])
    assert.ok(!text.includes(secret), secret)
})

test('shows neither details nor changes of an act on another user', async () => {
  const { userId, seal, activity } = await signedIn()
  await seal({
    ...{ type: 'user.updated', actorId: userId, subjectId: 'another-user', personal },
    public: '{"changed":["email"],"details":{"users":1}}',
  })
  const [item] = await activity()
  assert.deepEqual([item?.type, item?.details, item?.changes], ['user.updated', undefined, undefined])
  assert.ok(!JSON.stringify(item).includes('another-user'))
})

const text = (name: string, more = {}) => ({ name, type: 'text' as const, ...more })
const note = { readable: false, writable: false }

test('shows of a profile what its user may read or write, and none of the operator’s notes', async () => {
  const other = await service.addTenant({ configuration: { events: { profileValues: true } } })
  const publish = (...components: ReturnType<typeof text>[]) =>
    service.admin.publishProfileSchema(other, { components })
  const nick = text('nick')
  const fields = [nick, text('plan', { writable: false }), text('pin', { readable: false }), text('city')]
  await publish(...fields, text('fraudRisk', note), text('blocked', note))
  const person = await addPerson(service, other)
  const client = await person.client()
  const byOperator = async (values: object) => {
    await service.admin.updateUserProfile({ tenantId: other.tenantId, userId: person.userId }, { ...values })
    // Events are in the order of their times.
    service.clock.advance(1)
  }
  await byOperator({ fraudRisk: 'high' })
  await byOperator({ fraudRisk: 'low', blocked: 'yes', nick: 'Al', plan: 'pro', pin: '1' })
  await client.updateProfile({ nick: 'Ada', pin: '2', city: 'Paris' })
  await service.service.services.events.drain()
  /** The changes of the profile, oldest first, from the list and from the export. */
  const changes = async () => {
    const { items } = await client.listActivity({ limit: '200' })
    const { activity } = await (await person.client()).exportAccount()
    const [listed, exported] = [items, activity].map((all) =>
      all.flatMap(({ type, changes: shown }) => (type.startsWith('profile.') ? [shown] : [])).toReversed(),
    )
    assert.deepEqual(exported, listed)
    return listed
  }
  const own = { nick: { before: 'Al', after: 'Ada' }, pin: {}, city: { after: 'Paris' } }
  const operators = { nick: { after: 'Al' }, plan: { after: 'pro' }, pin: {} }
  assert.deepEqual(await changes(), [undefined, operators, own])

  // A removed field may have been a note, unless the user changed it.
  await publish(nick, text('fraudRisk', note))
  assert.deepEqual(await changes(), [undefined, { nick: operators.nick }, own])
  // The current schema decides: a field that became a note, and one that its user can no longer read.
  await publish(text('nick', { readable: false }), text('city', note))
  assert.deepEqual(await changes(), [undefined, { nick: {} }, { nick: {}, pin: {} }])

  const { items } = await service.admin.listEvents(other, { type: 'profile.*' })
  assert.deepEqual(
    items.map((event) => Object.keys(event.changes ?? {}).sort()),
    [['city', 'nick', 'pin'], ['blocked', 'fraudRisk', 'nick', 'pin', 'plan'], ['fraudRisk']],
  )
})

test('shows no events of other users, and each event once', async () => {
  const { userId, seal, activity } = await signedIn()
  const sealed = await seal(
    { actorId: userId, subjectId: userId },
    { actorId: 'another', subjectId: 'another' },
    { actorId: userId, subjectKind: 'otp', subjectId: 'an-otp', type: 'otp.verified' },
  )
  const shown = [sealed[2]!.id, sealed[0]!.id]
  assert.deepEqual(
    (await activity()).map(({ id }) => id),
    shown,
  )
})

test('has pages, and ends after 90 days', async () => {
  const { userId, client, seal, activity } = await signedIn()
  const sealed = await seal(...Array(5).fill({ actorId: userId, subjectId: userId }))
  const read: string[] = []
  for (let cursor: string | null = null; ; ) {
    const page = await client.listActivity({ limit: '2', ...(cursor !== null && { cursor }) })
    read.push(...page.items.map(({ id }) => id))
    if (page.nextCursor === null) break
    cursor = page.nextCursor
  }
  assert.deepEqual(read.slice(0, 5), sealed.map(({ id }) => id).toReversed())
  await assert.rejects(client.listActivity({ cursor: 'x' }), { code: 'VALIDATION_ERROR' })
  const now = service.clock.now()
  const old = { actorId: userId, subjectId: userId }
  await seal(
    { ...old, id: ulid(now - 91 * day), at: now - 91 * day },
    { ...old, id: ulid(now - 89 * day), at: now - 89 * day },
  )
  const times = (await activity()).map(({ at }) => now - Date.parse(at))
  assert.ok(times.some((age) => age === 89 * day))
  assert.ok(times.every((age) => age <= 90 * day))
})

test('the export of the account has all stored activity, also older than 90 days', async () => {
  const { userId, client, seal } = await signedIn()
  const at = service.clock.now() - 300 * day
  const [old] = await seal({ actorId: userId, subjectId: userId, id: ulid(at), at })
  await seal(...Array(250).fill({ actorId: userId, subjectId: userId }))
  const { activity } = await client.exportAccount()
  assert.ok(activity.length > 250)
  assert.equal(activity.at(-1)?.id, old!.id)
  assert.equal(new Set(activity.map(({ id }) => id)).size, activity.length)
  assert.deepEqual(
    activity.map((item) => Activity.parse(item)),
    activity,
  )
})

test('an erased user’s activity cannot be read, and another tenant’s user sees nothing of it', async () => {
  const { userId, client, seal } = await signedIn()
  const other = await service.addTenant()
  const theirs = await addPerson(service, other)
  await sealEvents(service, other.tenantId, [{ actorId: userId, subjectId: userId }])
  await seal({ actorId: userId, subjectId: userId })
  const { accessToken } = await theirs.signIn()
  await service.service.services.events.drain()
  const { items } = await other.client.withSession(accessToken).listActivity()
  assert.ok(items.every(({ actor }) => actor.kind !== 'user' || actor.session !== undefined))
  await client.deleteAccount()
  await assert.rejects(client.listActivity(), { code: 'TOKEN_USER_NOT_FOUND' })
})
