import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { ulid } from '../../server/core/ids.ts'
import { storedRows } from '../support/databases/stored-rows.ts'
import { httpSettings, startGateway, startMailServer } from '../support/delivery/sending.ts'
import { deploymentSmtp, startSendingService } from '../support/delivery/sending-service.ts'
import type { SmtpPeer } from '../support/peers/smtp-peer.ts'
import type { TestService, TestTenant } from '../support/service.ts'
import { until } from '../support/until.ts'

const scope = 'otp_signin'

let good: SmtpPeer
before(async () => {
  good = await startMailServer()
})

/** Tenants whose gateway never answers, each with a number of due messages. */
async function startHanging(tenants: number, messages: number) {
  const gateway = await startGateway('hang')
  const service = await startSendingService([deploymentSmtp(good)])
  const delivery = { email: [httpSettings(gateway)] }
  const hanging = await Promise.all(
    Array.from({ length: tenants }, () => service.addTenant({ configuration: { delivery } })),
  )
  const bystander = await service.addTenant()
  for (const { tenantId } of hanging) await queueNotices(service, tenantId, messages)
  service.service.services.delivery.wake()
  return {
    ...{ gateway, service, hanging, bystander },
    async [Symbol.asyncDispose]() {
      await gateway.close()
      await service.close()
    },
  }
}

async function queueNotices({ service, clock }: TestService, tenantId: string, count: number): Promise<void> {
  const { messages } = service.services.storage.forTenant(tenantId)
  const createdAt = clock.now()
  const notice = {
    kind: 'password_changed',
    otpId: null,
    userId: 'someone',
    deliveryMethod: 'email',
    locale: 'en',
  } as const
  await Promise.all(
    Array.from({ length: count }, (_, at) => {
      const recipient = `person-${at}@example.com`
      return messages.notify({ ...notice, id: ulid(createdAt), recipient, createdAt, expiresAt: createdAt + 600_000 })
    }),
  )
}

/** Milliseconds from requesting a code to its arrival. */
async function timeToArrive({ client }: TestTenant, email: string): Promise<number> {
  const begun = performance.now()
  await client.issueOtp({ scope, email })
  await until(() => good.received.some(({ to }) => to[0] === email))
  return performance.now() - begun
}

for (const [tenants, messages] of [
  [1, 200],
  [12, 200],
  [40, 30],
] as const) {
  const whose = tenants === 1 ? 'one tenant' : `${tenants} tenants`
  test(`does not delay another tenant’s message while the provider of ${whose} hangs with ${messages} messages each`, async (t) => {
    await using held = await startHanging(tenants, messages)
    await until(() => held.gateway.requests.length >= 16 * Math.min(tenants, 2))
    const times: number[] = []
    for (let person = 0; person < 5; person++)
      times.push(await timeToArrive(held.bystander, `bystander-${tenants}-${person}@example.org`))
    const worst = Math.max(...times)
    t.diagnostic(`the slowest of five took ${worst.toFixed(0)} ms`)
    // A hanging provider times out after five seconds.
    assert.ok(worst < 4_000, `${worst.toFixed(0)} ms`)
    for (const { tenantId } of held.hanging) {
      const sent = "SELECT id FROM outbox WHERE tenant_id = ? AND state = 'sent'"
      assert.deepEqual(storedRows(held.service, sent, tenantId), [])
    }
  })
}

test('does not delay a tenant’s SMS when its e-mail hangs', async () => {
  const [hangs, takes] = [await startGateway('hang'), await startGateway({ status: 200 })]
  await using service = await startSendingService([])
  const delivery = { email: [httpSettings(hangs)], sms: [httpSettings(takes)] }
  const { tenantId, client } = await service.addTenant({ configuration: { delivery } })
  await queueNotices(service, tenantId, 100)
  const begun = performance.now()
  await client.issueOtp({ scope, phone: '+33612345678' })
  await until(() => takes.requests.length > 0)
  assert.ok(performance.now() - begun < 4_000)
  await hangs.close()
})

test('sends messages that another process queued for another tenant while a sender hangs', async () => {
  await using held = await startHanging(1, 100)
  await until(() => held.gateway.requests.length >= 16)
  await queueNotices(held.service, held.bystander.tenantId, 1)
  // Soon, not only after the timeout of the provider.
  await until(() => good.received.some(({ to }) => to[0] === 'person-0@example.com'), 5_000)
})
