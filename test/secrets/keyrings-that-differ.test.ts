import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticeFor } from '../../server/delivery/notice.ts'
import { drain, messageOf, smtpSettings, startSendingService, startTenantSmtp } from '../support/sending.ts'
import { startTestService, type TestService } from '../support/service.ts'
import { storedRow } from '../support/stored-rows.ts'

const keyOf = (id: string, fill: number): string => `${id}:${Buffer.alloc(32, fill).toString('base64')}`
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
