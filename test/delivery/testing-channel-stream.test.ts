import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { TestingChannelMessage } from '../../contract/system.ts'
import { ulid } from '../../server/core/ids.ts'
import type { InboxEntry } from '../../server/delivery/inbox.ts'
import { type EventReader, listen } from '../support/events/event-reader.ts'
import { request } from '../support/http/raw-request.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { until } from '../support/until.ts'

const path = '/admin/testing-channel/stream'
const admin = ({ adminKey }: TestService) => ({ authorization: `Bearer ${adminKey}` })

/** A service with a tenant, and readers that disconnect at the end of the test. */
async function start(t: TestContext) {
  const service = await startTestService()
  const tenant = await service.addTenant()
  const readers: EventReader[] = []
  t.after(async () => {
    for (const reader of readers) reader.leave()
    await service.close()
  })
  async function follow(query = '', lastEventId?: string): Promise<EventReader> {
    const headers = { ...admin(service), ...(lastEventId !== undefined && { 'last-event-id': lastEventId }) }
    const reader = await listen(service.baseUrl + path + query, headers)
    readers.push(reader)
    return reader
  }
  const issue = async (email = 'ada@example.com', { client } = tenant) =>
    (await client.issueOtp({ scope: 'otp_signin', email })).id
  const entry = (changes: Partial<InboxEntry> = {}): InboxEntry => {
    const [id, { tenantId }] = [ulid(service.clock.now()), tenant]
    const { keyring } = service.service.services
    const sealed = keyring.seal(JSON.stringify({ code: '123456', text: 'text' }), ['testing-channel', tenantId, id])
    const fixed = { otpId: null, scope: null, deliveryMethod: 'email', recipient: 'ada@example.com' } as const
    return { ...fixed, id, tenantId, sealed, createdAt: service.clock.now(), ...changes }
  }
  const longEntry = (): InboxEntry => {
    const plain = entry()
    const context = ['testing-channel', plain.tenantId, plain.id]
    const sealed = service.service.services.keyring.seal(
      JSON.stringify({ code: null, text: 'x'.repeat(20_000) }),
      context,
    )
    return { ...plain, sealed }
  }
  /** A reader that reads the head of the answer, then stalls. */
  async function stall(): Promise<Socket> {
    const { host, port, hostname } = new URL(service.baseUrl)
    const socket = connect(Number(port), hostname)
    t.after(() => socket.destroy())
    const { authorization } = admin(service)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\n\r\n`)
    const [head] = await once(socket, 'data')
    socket.pause()
    assert.match(String(head), /^HTTP\/1\.1 200 /)
    return socket
  }
  const { inbox } = service.service.services.storage.system
  const post = (...entries: InboxEntry[]) => inbox.post(entries)
  return { service, tenant, follow, stall, issue, entry, longEntry, post }
}

const otpIds = (events: readonly { data: { otpId: string } }[]) => events.map(({ data }) => data.otpId)
const ids = (events: readonly { id: string }[]) => events.map(({ id }) => id)

test('streams a message as an event when it is posted', async (t) => {
  const { service, follow, issue } = await start(t)
  await issue('before@example.com')
  await service.service.services.delivery.drain()
  const reader = await follow()
  assert.equal(reader.status, 200)
  const { 'content-type': type, 'cache-control': cache, 'x-accel-buffering': buffering } = reader.headers
  assert.deepEqual([type, cache, buffering], ['text/event-stream; charset=utf-8', 'no-store', 'no'])
  assert.ok(reader.headers['x-request-id'])
  const otpId = await issue()
  const [event] = await reader.take(1)
  assert.deepEqual(TestingChannelMessage.parse(event?.data), event?.data)
  const { messages } = await service.admin.listTestingChannelMessages({ otpId })
  assert.deepEqual(event, { id: messages[0]?.id, event: 'message', data: messages[0] })
  assert.deepEqual(reader.left, [])
})

test('rejects requests before the stream starts, and has no stream in production', async (t) => {
  const { service } = await start(t)
  const refusalOf = async (headers: Record<string, string>, of = service, query = '') => {
    const { status, body } = await request(of, `GET ${path}${query}`, { headers })
    return [status, body.error.code]
  }
  assert.deepEqual(await refusalOf({}), [401, 'MISSING_ADMIN_KEY'])
  assert.deepEqual(await refusalOf({ authorization: 'Bearer wrong' }), [401, 'INVALID_ADMIN_KEY'])
  assert.deepEqual(
    (await request(service, `POST ${path}`, { headers: admin(service) })).headers.get('allow'),
    'GET, HEAD',
  )
  const head = await request(service, `HEAD ${path}`, { headers: admin(service) })
  assert.deepEqual([head.status, head.text], [200, ''])
  await using production = await startTestService({ environment: 'production' })
  assert.deepEqual(await refusalOf(admin(production), production), [404, 'NOT_FOUND'])
  await using staging = await startTestService({ environment: 'staging' })
  const reader = await listen(staging.baseUrl + path, admin(staging))
  assert.equal(reader.status, 200)
  reader.leave()
})

test('applies filters, also in combination', async (t) => {
  const { service, tenant, follow, issue } = await start(t)
  const other = await service.addTenant()
  const first = await issue('ada@example.com')
  await service.service.services.delivery.drain()
  const all = await follow()
  const ofTenant = await follow(`?tenantId=${tenant.tenantId}`)
  const ofRecipient = await follow('?recipient=ada%40example.com')
  const ofBoth = await follow(`?tenantId=${other.tenantId}&recipient=ada%40example.com`)
  const ofOtp = await follow(`?otpId=${first}`, 'from the beginning')
  const mine = await issue('bob@example.com')
  const theirs = await issue('ada@example.com', other)
  const last = await issue('ada@example.com')
  assert.deepEqual(otpIds(await all.take(3)).sort(), [mine, theirs, last].sort())
  assert.deepEqual(otpIds(await ofTenant.take(2)).sort(), [mine, last].sort())
  assert.deepEqual(otpIds(await ofRecipient.take(2)).sort(), [theirs, last].sort())
  assert.deepEqual(otpIds(await ofBoth.take(1)), [theirs])
  assert.deepEqual(otpIds(await ofOtp.take(1)), [first])
  for (const reader of [all, ofTenant, ofRecipient, ofBoth, ofOtp]) assert.deepEqual(reader.left, [])
})

test('resumes after any event without gaps or duplicates', async (t) => {
  const { follow, entry, post } = await start(t)
  const live = await follow()
  const entries = Array.from({ length: 450 }, () => entry())
  for (let at = 0; at < entries.length; at += 9) await post(...entries.slice(at, at + 9))
  const events = ids(await live.take(450))
  assert.deepEqual(events, ids(entries))
  for (const seen of [0, 1, 9, 200, 448]) {
    const reader = await follow('', events[seen])
    assert.deepEqual(ids(await reader.take(449 - seen)), events.slice(seen + 1))
    assert.deepEqual(reader.left, [])
  }
  const byQuery = await follow(`?lastEventId=${events[447]}`)
  assert.deepEqual(ids(await byQuery.take(2)), events.slice(448))
  const byHeader = await follow(`?lastEventId=${events[0]}`, events[448])
  assert.deepEqual(ids(await byHeader.take(1)), events.slice(449))
})

test('streams a late message with an older id to readers of newer ones', async (t) => {
  const { service, follow, entry, post } = await start(t)
  const late = entry({ createdAt: service.clock.now() - 5_000 })
  service.clock.advance(60_000)
  const seen = entry()
  const reader = await follow()
  await post(seen)
  assert.deepEqual(ids(await reader.take(1)), [seen.id])
  reader.leave()
  await post(late)
  const again = await follow('', seen.id)
  assert.deepEqual(ids(await again.take(1)), [late.id])
})

test('streams the whole inbox after an unknown id', async (t) => {
  const { follow, entry, post } = await start(t)
  const [one, two] = [entry(), entry()]
  await post(one, two)
  const reader = await follow('', ulid(0))
  assert.deepEqual(ids(await reader.take(2)), [one.id, two.id])
})

test('an open stream continues after a clear, and a resumed one neither repeats nor misses a message', async (t) => {
  const { service, tenant, follow, entry, post } = await start(t)
  const other = await service.addTenant()
  const theirs = entry({ tenantId: other.tenantId })
  const context = ['testing-channel', other.tenantId, theirs.id]
  const { keyring } = service.service.services
  const [first, last] = [entry(), entry()]
  const live = await follow()
  await post({ ...theirs, sealed: keyring.seal(JSON.stringify({ code: null, text: 'theirs' }), context) }, first, last)
  assert.deepEqual(ids(await live.take(3)), [theirs.id, first.id, last.id])
  await service.admin.clearTestingChannelMessages({ tenantId: tenant.tenantId })
  const next = entry()
  await post(next)
  assert.deepEqual(ids(await live.take(1)), [next.id])
  const resumed = await follow('', last.id)
  assert.deepEqual(ids(await resumed.take(1)), [next.id])
  const fromTheirs = await follow('', theirs.id)
  assert.deepEqual(ids(await fromTheirs.take(1)), [next.id])
  for (const reader of [live, resumed, fromTheirs]) assert.deepEqual(reader.left, [])
})

test('streams messages of other processes', async (t) => {
  const { service, follow, entry } = await start(t)
  const reader = await follow()
  const other = await service.database.open()
  const theirs = entry()
  await other.system.inbox.post([theirs])
  await other.close()
  assert.deepEqual(ids(await reader.take(1)), [theirs.id])
})

test('waits for a slow reader without losing messages or blocking others', async (t) => {
  const { follow, stall, longEntry, post } = await start(t)
  const slow = await stall()
  const quick = await follow()
  const entries = Array.from({ length: 800 }, longEntry)
  await post(...entries)
  assert.equal((await quick.take(800)).length, 800)
  const eventIds: string[] = []
  let rest = ''
  const all = new Promise<void>((resolve) => {
    slow.on('data', (bytes) => {
      const lines = (rest + bytes).split('\n')
      rest = lines.pop() ?? ''
      eventIds.push(...lines.filter((line) => line.startsWith('id: ')).map((line) => line.slice(4)))
      if (eventIds.length >= 800) resolve()
    })
  })
  slow.resume()
  await all
  assert.deepEqual(eventIds, ids(entries))
})

test('watches the inbox no longer when its client has gone', async (t) => {
  const { service, follow, entry, post } = await start(t)
  const { inbox } = service.service.services.storage.system
  const [{ watch }, watching] = [inbox, new Set()]
  t.mock.method(inbox, 'watch', (listener: Parameters<typeof watch>[0]) => {
    const unwatch = watch.call(inbox, listener)
    watching.add(unwatch)
    return () => watching.delete(unwatch) && unwatch()
  })
  const reader = await follow()
  await post(entry())
  await reader.take(1)
  assert.equal(watching.size, 1)
  reader.leave()
  await until(() => watching.size === 0)
})

test('shuts down with open streams, including one of a stalled reader', async (t) => {
  const { service, follow, stall, longEntry, post } = await start(t)
  await stall()
  const reader = await follow()
  await post(...Array.from({ length: 800 }, longEntry))
  await reader.take(800)
  await Promise.all([service.service.http.close(), reader.ended])
  assert.ok(service.log.every((line) => !line.includes('broke off')))
})
