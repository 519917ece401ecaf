import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DeliveryJob, MessageTransport } from '../../server/delivery/message-transport.ts'
import { PermanentFailure } from '../../server/delivery/provider.ts'
import { storedMessages, writeStored } from '../support/databases/stored-rows.ts'
import { newestEvent, recordedAfter } from '../support/events/recorded-events.ts'
import { importInto } from '../support/import-into.ts'
import { addPerson } from '../support/person.ts'
import { startTestService, type TestService } from '../support/service.ts'

const DAY = 86_400_000
let deliver: (job: DeliveryJob) => Promise<void> = async () => {}
const transport: MessageTransport = {
  canDeliver: () => true,
  async deliver(job) {
    await deliver(job)
    return {}
  },
}
let service: TestService
before(async () => {
  service = await startTestService({ transport })
})
after(() => service.close())

const drain = () => service.service.services.delivery.drain()
const refuse = async () => {
  throw new PermanentFailure('no such mailbox')
}
/** What `act` records, except what it does over HTTP. */
async function recordedBy(act: () => Promise<unknown>) {
  const newest = newestEvent(service.database)
  service.clock.advance(1_000)
  await act()
  return recordedAfter(service.database, newest)
}
const failures = async (act: () => Promise<unknown>) =>
  (await recordedBy(act)).filter(({ type }) => type === 'message.failed')

test('records each message that failed for good, in bulk, with its user', async () => {
  const tenant = await service.addTenant()
  const people = await Promise.all(Array.from({ length: 3 }, () => addPerson(service, tenant)))
  deliver = refuse
  const recorded = await failures(async () => {
    await Promise.all(people.map((person) => person.issue('email_verification')))
    await drain()
  })
  deliver = async () => {}
  const by = { log: tenant.tenantId, type: 'message.failed', actor: 'system', outcome: 'done' }
  const messages = recorded.map(({ details }) => details?.['message'])
  assert.equal(new Set(messages).size, 3)
  assert.deepEqual(
    recorded.toSorted((a, b) => (a.subject < b.subject ? -1 : 1)),
    people
      .map(({ userId }) => `user ${userId}`)
      .sort()
      .map((subject) => {
        const details = recorded.find((one) => one.subject === subject)?.details
        return { ...by, subject, details: { ...details, kind: 'otp', deliveryMethod: 'email' } }
      }),
  )
})

test('records no failure of an attempt that is repeated, or whose lease another process has', async () => {
  const tenant = await service.addTenant()
  deliver = async () => {
    throw new TypeError('connect ECONNREFUSED')
  }
  const issued = async () => {
    const { id } = await tenant.client.issueOtp({ scope: 'otp_signin', email: 'again@example.com' })
    return id
  }
  const queued = await failures(async () => {
    await issued()
    await drain()
  })
  assert.deepEqual(queued, [])
  const hanging = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  deliver = async () => {
    begun.resolve()
    await hanging.promise
    await refuse()
  }
  let message: unknown
  const lost = await failures(async () => {
    const id = await issued()
    await begun.promise
    await writeStored(service, "UPDATE outbox SET lease_owner = 'another process' WHERE otp_id = ?", id)
    hanging.resolve()
    await drain()
    const [stored] = storedMessages(service, id)
    assert.equal(stored?.['state'], 'sending')
    message = stored['id']
  })
  assert.ok(!lost.some(({ details }) => details?.['message'] === message))
  deliver = async () => {}
})

test('records the deletion of an idle guest, unless the tenant records none', async () => {
  const auth = { methods: ['guest' as const], guest: { idleDays: 7 } }
  const [on, off] = await Promise.all([
    service.addTenant({ configuration: { auth } }),
    service.addTenant({ configuration: { auth, events: { detail: 'off' } } }),
  ])
  const guest = await on.client.signIn({ method: 'guest' })
  await off.client.signIn({ method: 'guest' })
  const recorded = await recordedBy(async () => {
    service.clock.advance(8 * DAY)
    await service.service.services.housekeeping.run()
  })
  const deleted = recorded.filter(({ type }) => type === 'user.deleted')
  const subject = `user ${guest.user.id}`
  const by = { log: on.tenantId, actor: 'system', outcome: 'done' }
  assert.deepEqual(deleted, [{ ...by, type: 'user.deleted', subject, details: { reason: 'idle' } }])
})

for (const detail of ['security', 'off'] as const) {
  test(`records when an indexed version becomes current or fails, as an act of its publisher (detail ${detail})`, async () => {
    const { tenantId, ...tenant } = await service.addTenant({ configuration: { events: { detail } } })
    await service.admin.publishProfileSchema({ tenantId }, { components: [{ name: 'nick', type: 'text' }] })
    const rows = ['a', 'b', 'B'].map((nick) => ({ email: `${nick.charCodeAt(0)}@build.example`, profile: { nick } }))
    await importInto(service, { tenantId, ...tenant }, rows)
    const publish = (version: string, rule: object) =>
      service.admin.publishProfileSchema(
        { tenantId },
        { version, components: [{ name: 'nick', type: 'text', ...rule }] },
      )
    const event = (type: string, version: string, details: object) => ({
      ...{ log: tenantId, type, actor: 'operator root', subject: `profileSchema ${version}`, outcome: 'done' },
      details: { version, ...details },
    })
    const found = await recordedBy(() => publish('searchable', { searchable: true }))
    assert.deepEqual(
      new Set(found),
      new Set([
        event('profile_schema.published', 'searchable', { state: 'building' }),
        event('profile_schema.built', 'searchable', {}),
      ]),
    )
    const failed = await recordedBy(() => publish('unique', { unique: true }))
    assert.deepEqual(
      new Set(failed),
      new Set([
        event('profile_schema.published', 'unique', { state: 'building' }),
        event('profile_schema.failed', 'unique', { duplicates: { nick: 1 } }),
      ]),
    )
  })
}

test('records no rotation for the first signing key', async () => {
  await using service = await startTestService()
  assert.equal((await service.admin.listSigningKeys()).keys.length, 1)
  assert.deepEqual(
    recordedAfter(service.database, '').filter(({ type }) => type === 'signing_key.rotated'),
    [],
  )
})

test('records a key that is rotated by schedule, once', async () => {
  const { signingKeys, housekeeping } = service.service.services
  const recorded = await recordedBy(async () => {
    service.clock.advance(90 * DAY)
    await housekeeping.run()
    await housekeeping.run()
  })
  const { kid } = signingKeys.list(service.clock.now()).at(-1)!
  const subject = `signingKey ${kid}`
  assert.deepEqual(
    recorded.filter(({ log }) => log === 'deployment'),
    [{ log: 'deployment', type: 'signing_key.rotated', actor: 'system', subject, outcome: 'done' }],
  )
})
