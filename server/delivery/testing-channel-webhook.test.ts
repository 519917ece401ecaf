import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { type HttpReply, startHttpPeer } from '../../test/support/peers/http-peer.ts'
import { recordedLog } from '../../test/support/recorded-log.ts'
import { ulid } from '../core/ids.ts'
import { createKeyring } from '../secrets/keyring.ts'
import { generateMasterKeys } from '../secrets/master-keys.ts'
import { openTestStorage } from '../storage/sqlite/open-storage.testkit.ts'
import { newTenant, t0 } from '../storage/suite/samples.testkit.ts'
import type { InboxEntry } from './inbox.ts'
import { startTestingChannelWebhook } from './testing-channel-webhook.ts'

const code = '9876543210'
const path = '/services/T000/secret-path'

/** A testing channel with a webhook that answers so, and a way to post to it. */
async function start(t: TestContext, reply: HttpReply, graceMs?: number) {
  const { storage, close } = await openTestStorage()
  const keyring = createKeyring(generateMasterKeys(t0))
  const { logger, log } = recordedLog()
  const peer = await startHttpPeer(reply)
  const { inbox } = storage.system
  const options = { inbox, keyring, logger, ...(graceMs !== undefined && { graceMs }) }
  const webhook = startTestingChannelWebhook({ url: peer.url + path, ...options })
  t.after(async () => {
    await webhook.stop()
    await peer.close()
    await close()
  })
  const tenantId = ulid(t0)
  await newTenant(storage, { id: tenantId })

  function entryOf(changes: { code?: string | null; text?: string } & Partial<InboxEntry> = {}): InboxEntry {
    const { code: given = code, text = `Your code: ${code}`, ...columns } = changes
    const id = ulid(t0)
    const sealed = keyring.seal(JSON.stringify({ code: given, text }), ['testing-channel', tenantId, id])
    const fixed = { otpId: 'otp', scope: 'otp_signin', deliveryMethod: 'email', createdAt: t0 } as const
    return { ...fixed, id, tenantId, recipient: 'ada@example.com', sealed, ...columns }
  }
  const post = (...entries: InboxEntry[]) => inbox.post(entries)
  return { inbox, webhook, peer, log, tenantId, entryOf, post }
}

const textOf = ({ body }: { body: string }): string => JSON.parse(body).text

test('posts every message with tenant, recipient, scope, code and text until it is stopped', async (t) => {
  const { webhook, peer, log, tenantId, entryOf, post } = await start(t, { status: 200, body: 'ok' })
  await post(entryOf())
  await post(entryOf({ code: null, scope: null, otpId: null, text: 'Your password was changed' }))
  await webhook.stop()
  assert.deepEqual(peer.requests.map(textOf).sort(), [
    `notice for ada@example.com (tenant ${tenantId})\nYour password was changed`,
    `otp_signin for ada@example.com (tenant ${tenantId}): ${code}\nYour code: ${code}`,
  ])
  await post(entryOf())
  await webhook.stop()
  assert.equal(peer.requests.length, 2)
  const [{ method, path: posted, headers }] = peer.requests as [(typeof peer.requests)[0]]
  assert.deepEqual([method, posted, headers['content-type']], ['POST', path, 'application/json; charset=utf-8'])
  assert.deepEqual(log, [])
})

test('escapes Slack commands', async (t) => {
  const { webhook, peer, entryOf, post } = await start(t, { status: 200 })
  await post(entryOf({ text: '<!channel> & <https://example.com|here>' }))
  await webhook.stop()
  const told = textOf(peer.requests[0]!)
  assert.ok(told.endsWith('\n&lt;!channel&gt; &amp; &lt;https://example.com|here&gt;'), told)
})

const failures: Record<string, HttpReply> = {
  'says no and repeats the code': { status: 500, body: code },
  redirects: { status: 302, headers: { location: 'http://127.0.0.1:9/' } },
  'cuts the connection': 'cut',
}
for (const [how, reply] of Object.entries(failures)) {
  test(`a webhook that ${how} is logged once a message, without code and address, and not tried again`, async (t) => {
    const { inbox, webhook, peer, log, entryOf, post } = await start(t, reply)
    const entries = [entryOf(), entryOf()]
    await post(...entries)
    await webhook.stop()
    assert.equal(peer.requests.length, 2)
    assert.deepEqual(await inbox.list({}, 10), entries)
    assert.equal(log.length, 2)
    for (const line of log) {
      assert.match(line, /failed to post a message/)
      assert.ok(!line.includes(code) && !line.includes(path) && !line.includes('ada@'), line)
    }
  })
}

test('skips a message that cannot be decrypted and posts the next one', async (t) => {
  const { webhook, peer, log, entryOf, post } = await start(t, { status: 200 })
  await post(entryOf({ sealed: 'of another key' }), entryOf())
  await webhook.stop()
  assert.equal(peer.requests.length, 1)
  assert.equal(log.length, 1)
})

test('limits requests and queued messages when the webhook hangs, without delaying delivery or shutdown', async (t) => {
  const { inbox, webhook, peer, log, entryOf, post } = await start(t, 'hang', 50)
  await post(...Array.from({ length: 1_100 }, () => entryOf()))
  assert.equal((await inbox.list({}, 2_000)).length, 1_100)
  await post(entryOf())
  assert.equal(log.filter((line) => line.includes('messages are skipped')).length, 1)
  await webhook.stop()
  assert.ok(peer.requests.length <= 4, `${peer.requests.length} at once`)
  assert.equal(log.filter((line) => line.includes('failed to post')).length, 4)
  await post(entryOf())
  assert.ok(peer.connections() <= 4, 'nothing is posted after the end')
})
