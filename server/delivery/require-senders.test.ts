import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from '../../test/support/service.ts'
import { atOnce, newTenant } from '../storage/suite/samples.testkit.ts'
import type { MessageTransport } from './message-transport.ts'
import { createSenderWatch, findSenderProblems } from './require-senders.ts'

/** Cannot send anything. */
const transport: MessageTransport = { canDeliver: () => false, deliver: async () => ({}) }

test('checks every tenant, across pages', async () => {
  await using service = await startTestService()
  const { services } = service.service
  await atOnce(450, () => newTenant(services.storage))
  const { missing } = await findSenderProblems({ ...services, transport })
  assert.equal(new Set(missing).size, 450)
})

test('logs nothing and does not fail when the database is unavailable', async () => {
  let isAway = false
  const onStatement = () => {
    if (isAway) throw new Error('the database is away')
  }
  await using service = await startTestService({ hooks: { onStatement } })
  const { tenantId } = await service.addTenant()
  const watch = createSenderWatch({ ...service.service.services, transport })
  isAway = true
  const [watched] = await Promise.allSettled([watch(tenantId)])
  isAway = false
  assert.equal(watched.status, 'fulfilled')
  assert.doesNotMatch(service.log.join(), /next start/)
})

test('needs no e-mail for one-time-password sign-in if SMS can be sent', async () => {
  await using service = await startTestService()
  await service.addTenant({ configuration: { auth: { methods: ['otp'] } } })
  const sms: MessageTransport = { ...transport, canDeliver: (method) => method === 'sms' }
  const problems = await findSenderProblems({ ...service.service.services, transport: sms })
  assert.deepEqual(problems, { missing: [], warnings: [] })
})
