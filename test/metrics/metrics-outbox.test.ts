import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scrape } from '../support/http/scrape.ts'
import { startTestService } from '../support/service.ts'

test('queries the outbox once in three seconds, whatever the number of scrapes, and after the clock was set back', async () => {
  let asked = 0
  const onStatement = (name: string) => {
    if (name === 'outbox.depth') asked++
  }
  await using service = await startTestService({ hooks: { onStatement } })
  await service.service.services.delivery.stop()
  const { client } = await service.addTenant()
  const queued = async () => (await scrape(service)).value('tenantry_outbox_messages', '{state="queued"}')
  assert.deepEqual(await Promise.all([queued(), queued(), queued()]), [0, 0, 0])
  assert.equal(asked, 1)
  await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  service.clock.advance(2_999)
  assert.equal(await queued(), 0)
  service.clock.advance(1)
  assert.equal(await queued(), 1)
  await client.issueOtp({ scope: 'otp_signin', email: 'john@example.com' })
  service.clock.advance(-3_600_000)
  assert.equal(await queued(), 2)
  assert.equal(asked, 3)
})
