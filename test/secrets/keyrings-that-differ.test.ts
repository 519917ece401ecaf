import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTenantryClient } from '../../packages/client/src/index.ts'
import { noticeFor } from '../../server/delivery/notice.ts'
import { findSenderProblems } from '../../server/delivery/require-senders.ts'
import { storedRow } from '../support/databases/stored-rows.ts'
import { newWebhookSecret, smtpSettings, startMailServer, startTenantSmtp } from '../support/delivery/sending.ts'
import { deploymentSmtp, drain, messageOf, startSendingService } from '../support/delivery/sending-service.ts'
import { keyOf } from '../support/master-key.ts'
import { startTestService, type TestService } from '../support/service.ts'

const [k1, k2] = [keyOf('k1', 1), keyOf('k2', 2)]

/** A process that was not restarted yet, and one that has the new master key. */
const old = { masterKeys: k1 }
const restarted = ({ database, clock }: TestService) => ({ database, clock, masterKeys: `${k2},${k1}` })

/** Lets the two processes deliver the outbox one after the other. */
async function inTurn(first: TestService, second: TestService, between: () => void): Promise<void> {
  await first.service.services.delivery.drain()
  between()
  await first.service.services.delivery.stop()
  first.clock.advance(5_000)
  second.service.services.delivery.start()
  await drain(second)
}

test('leaves a code without a key to a process that has the key', async () => {
  await using before = await startTestService(old)
  await using after = await startTestService(restarted(before))
  await after.service.services.delivery.stop()
  const { client } = await after.addTenant()
  const { id } = await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  await inTurn(before, after, () => {
    const { state, last_error } = messageOf(after, id)
    assert.deepEqual(
      [state, last_error],
      ['queued', 'The code is encrypted with a master key that this process does not have'],
    )
  })
  assert.equal(messageOf(after, id)['state'], 'sent')
  assert.match(await after.codeOf(id), /^\d{6}$/)
})

test('leaves a message whose provider secrets have no key to a process that has it', async () => {
  const credentials = { user: 'me', password: 'of the sender' }
  const peer = await startTenantSmtp({ credentials })
  await using before = await startSendingService([], old)
  await using after = await startSendingService([], restarted(before))
  await after.service.services.delivery.stop()
  const sender = smtpSettings(peer, credentials)
  const { tenantId } = await after.addTenant({
    configuration: { delivery: { email: [sender], from: { address: 'me@example.com' } } },
  })
  // A message without a code, so that only the senders’ secrets cannot be decrypted.
  const to = { userId: 'jane', deliveryMethod: 'email', recipient: 'jane@example.com', locale: 'en' } as const
  const notice = noticeFor('password_changed', to, after.clock.now())
  await after.service.services.storage.forTenant(tenantId).messages.notify(notice)
  const stored = () => storedRow(after, 'SELECT * FROM outbox WHERE id = ?', notice.id)
  await inTurn(before, after, () => {
    const { state, last_error } = stored()
    assert.deepEqual(
      [state, last_error],
      ['queued', 'The secrets of its senders cannot be opened with the master keys'],
    )
  })
  assert.deepEqual([stored()['state'], peer.received.length], ['sent', 1])
})

test('issues codes of a tenant whose provider secrets have no key, and may start', async () => {
  const credentials = { user: 'me', password: 'of the sender' }
  const peer = await startTenantSmtp({ credentials })
  await using before = await startSendingService([], old)
  await using after = await startSendingService([], restarted(before))
  const sender = smtpSettings(peer, credentials)
  const { key } = await after.addTenant({
    configuration: { delivery: { email: [sender], from: { address: 'me@example.com' } } },
  })
  const client = createTenantryClient({ baseUrl: before.baseUrl, tenantKey: key })
  const { id } = await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  const { services } = before.service
  assert.deepEqual((await findSenderProblems(services)).missing, [])
  await inTurn(before, after, () => assert.equal(messageOf(after, id)['state'], 'queued'))
  assert.deepEqual([messageOf(after, id)['state'], peer.received.length], ['sent', 1])
})

test('sends e-mail of a tenant of whose SMS senders the secrets have no key', async () => {
  const peer = await startMailServer()
  await using before = await startSendingService([deploymentSmtp(peer)], old)
  await using after = await startSendingService([], restarted(before))
  await after.service.services.delivery.stop()
  const sms = [{ type: 'http', url: 'https://sms.example.com', secret: newWebhookSecret() }]
  const { key } = await after.addTenant({ configuration: { delivery: { sms } } })
  const client = createTenantryClient({ baseUrl: before.baseUrl, tenantKey: key })
  const { id } = await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  await drain(before)
  assert.deepEqual([messageOf(before, id)['state'], peer.received.length], ['sent', 1])
})
