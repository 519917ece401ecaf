import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startMailServer } from '../support/delivery/sending.ts'
import { deploymentSmtp, drain, messageOf, startSendingService } from '../support/delivery/sending-service.ts'
import type { TestService, TestTenant } from '../support/service.ts'

/** Issues a code to each of these many new addresses. */
const issue = ({ client }: TestTenant, count: number) =>
  Promise.all(
    Array.from({ length: count }, (_, person) =>
      client.issueOtp({ scope: 'otp_signin', email: `p${person}@example.org` }),
    ),
  )

/** Asserts that the deployment's mail server still gets the messages of another tenant. */
async function othersSend(service: TestService): Promise<void> {
  const [issued] = await issue(await service.addTenant(), 1)
  await drain(service)
  const { state, last_error } = messageOf(service, issued!.id)
  assert.deepEqual([state, last_error], ['sent', null])
}

test('sends the messages of other tenants although the From address of one is deferred', async () => {
  const peer = await startMailServer({
    refuse: { at: 'mail', code: 450, when: (from) => from.endsWith('@unknown.example') },
  })
  await using service = await startSendingService([deploymentSmtp(peer)])
  const one = await service.addTenant({ configuration: { delivery: { from: { address: 'me@unknown.example' } } } })
  const [issued] = await issue(one, 6)
  await drain(service)
  assert.match(String(messageOf(service, issued!.id)['last_error']), /could not take the message now: 450/)
  await othersSend(service)
})

test('sends the messages of other tenants although the codes of one expire while they are sent', async () => {
  const peer = await startMailServer({ delayMs: 400 })
  await using service = await startSendingService([deploymentSmtp(peer)])
  const one = await service.addTenant({ configuration: { otp: { ttlSeconds: 1 } } })
  const [issued] = await issue(one, 6)
  await drain(service)
  assert.match(String(messageOf(service, issued!.id)['last_error']), /aborted before a response/)
  await othersSend(service)
})
