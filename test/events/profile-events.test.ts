import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventRows } from '../support/events/recorded-events.ts'
import { newEmail, newPhone } from '../support/sign-in-methods.ts'
import { password, type RecordedService, startRecordedService } from './recorded-tenant.testkit.ts'

let recorded: RecordedService
before(async () => {
  recorded = await startRecordedService()
})
after(() => recorded[Symbol.asyncDispose]())

const text = (name: string, more = {}) => ({ name, type: 'text' as const, ...more })
const components = [
  text('nick'),
  text('city', { searchable: true }),
  text('diagnosis', { sensitive: true }),
  text('tier', { readable: false, writable: false }),
  text('story'),
  text('toString'),
  { name: 'size', type: 'number' as const },
]
/** A number as another language may write it. */
const written = (number: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(number)

async function openProfile(events: Record<string, unknown>) {
  const opened = await recorded.open(events)
  const { tenantId } = opened.tenant
  await recorded.service.admin.publishProfileSchema({ tenantId }, { components })
  const { user, accessToken } = await opened.prove({ phone: newPhone() })
  opened.events.next()
  const asOperator = (update: Record<string, unknown>) =>
    recorded.service.admin.updateUserProfile({ tenantId, userId: user.id }, update)
  return { ...opened, asOperator, own: opened.client.withSession(accessToken) }
}

test('records the names of the fields that change, and no values', async () => {
  const { events, own, asOperator } = await openProfile({})
  await own.updateProfile({ nick: 'J', city: 'Paris', diagnosis: 'flu' })
  assert.deepEqual(events.next(), [
    'profile.created by user jane s0 about user jane ~{"city":{},"diagnosis":{},"nick":{}}',
  ])
  await own.updateProfile({ nick: 'J', city: 'Rome' })
  assert.deepEqual(events.next(), ['profile.updated by user jane s0 about user jane ~{"city":{}}'])
  await own.updateProfile({ nick: 'Jo' })
  assert.deepEqual(events.next(), ['profile.updated by user jane s0 about user jane ~{"nick":{}}'])
  const unchanged: Record<string, unknown> = { nick: 'Jo', toString: null }
  await own.updateProfile(unchanged)
  await assert.rejects(own.updateProfile({ nick: 7 }))
  assert.deepEqual(events.next(), [])
  await asOperator({ tier: 'gold' })
  assert.deepEqual(events.next(), ['profile.updated by operator root about user jane ~{"tier":{}}'])
})

test('records nothing when a number stays the same, -0 for 0 included', async () => {
  const { events, asOperator } = await openProfile({ profileValues: true })
  await asOperator({ size: 0 })
  events.next()
  for (const same of ['-0', '-0.0', '0.00', '0e3']) await asOperator({ size: written(same) })
  assert.deepEqual(events.next(), [])
  await asOperator({ size: written('1e1') })
  assert.deepEqual(events.next(), [
    'profile.updated by operator root about user jane ~{"size":{"after":10,"before":0}}',
  ])
})

test('records values where the tenant wants them, but none of sensitive, unreadable and long fields', async () => {
  const { events, own, asOperator, tenant } = await openProfile({ profileValues: true })
  await own.updateProfile({ nick: 'J', diagnosis: 'flu' })
  assert.deepEqual(events.next(), [
    'profile.created by user jane s0 about user jane ~{"diagnosis":{},"nick":{"after":"J"}}',
  ])
  await own.updateProfile({ nick: null, city: 'Rome', diagnosis: 'cold', story: 'x'.repeat(1_001) })
  assert.deepEqual(events.next(), [
    'profile.updated by user jane s0 about user jane ~{"city":{"after":"Rome"},"diagnosis":{},"nick":{"after":null,"before":"J"},"story":{}}',
  ])
  const longest = '😀'.repeat(1_000)
  await own.updateProfile({ story: longest })
  assert.deepEqual(events.next(), [`profile.updated by user jane s0 about user jane ~{"story":{"after":"${longest}"}}`])
  await asOperator({ tier: 'gold', nick: 'K' })
  assert.deepEqual(events.next(), [
    'profile.updated by operator root about user jane ~{"nick":{"after":"K","before":null},"tier":{}}',
  ])
  for (const { log, row } of eventRows(recorded.service.database)) {
    if (log === tenant.tenantId) assert.doesNotMatch(String(row['public']), /"(J|Rome|flu|gold)"/)
  }
})

test('records no value of a type that its field no longer has, since the field may have been sensitive', async () => {
  const { events, own, tenant } = await openProfile({ profileValues: true })
  await own.updateProfile({ diagnosis: 'flu', city: 'Rome' })
  const retyped = { name: 'diagnosis', type: 'boolean' as const }
  await recorded.service.admin.publishProfileSchema(tenant, { components: [retyped, text('city')] })
  events.next()
  await own.updateProfile({ diagnosis: true, city: 'Oslo' })
  assert.deepEqual(events.next(), [
    'profile.updated by user jane s0 about user jane ~{"city":{"after":"Oslo","before":"Rome"},"diagnosis":{"after":true,"before":null}}',
  ])
})

test('records a first profile alike when the operator creates it and when its user signs up', async () => {
  const profile = { nick: 'J', city: null, diagnosis: 'flu', story: 'x'.repeat(1_001) }
  for (const [profileValues, nick] of [
    [false, {}],
    [true, { after: 'J' }],
  ] as const) {
    const { client, events, tenant, known } = await recorded.open({ profileValues })
    await recorded.service.admin.publishProfileSchema(tenant, { components })
    events.next()
    const profileEvents = () => events.next().filter((line) => line.startsWith('profile.'))
    const changes = JSON.stringify({ diagnosis: {}, nick, story: {} })
    const ada = await recorded.service.admin.createUser(tenant, { email: newEmail(), profile })
    events.name(ada.id, 'ada')
    assert.deepEqual(profileEvents(), [`profile.created by operator root about user ada ~${changes}`])
    known(await client.signUp({ method: 'password', email: newEmail(), password, profile }), 'jane', 's0')
    assert.deepEqual(profileEvents(), [`profile.created by tenantKey key about user jane ~${changes}`])
  }
})

test('records an operator’s update where the tenant records nothing, and no user’s', async () => {
  const { events, own, asOperator } = await openProfile({ detail: 'off' })
  await own.updateProfile({ nick: 'J' })
  assert.deepEqual(events.next(), [])
  await asOperator({ nick: 'K' })
  assert.deepEqual(events.next(), ['profile.updated by operator root about user jane ~{"nick":{}}'])
})
