import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboxWorker } from '../../server/delivery/outbox-worker.ts'
import { createTestingChannel } from '../../server/delivery/testing-channel.ts'
import { storedMessages } from '../support/databases/stored-rows.ts'
import { startTestService } from '../support/service.ts'

test('stores one message when a worker with an expired lease delivers it again', async () => {
  await using service = await startTestService()
  const { services } = service.service
  const { keyring, clock, logger, storage, delivery, snapshots } = services
  const { client } = await service.addTenant()
  await delivery.stop()
  const { id } = await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })

  const channel = createTestingChannel(keyring)
  const asleep = Promise.withResolvers<void>()
  const waking = Promise.withResolvers<void>()
  const sleeper = new OutboxWorker({
    outbox: storage.system.outbox,
    keyring,
    clock,
    logger,
    owner: 'sleeper',
    findTenant: snapshots.find,
    transport: {
      canDeliver: () => true,
      async deliver(job, now) {
        asleep.resolve()
        await waking.promise
        return channel.deliver(job, now)
      },
    },
  })
  sleeper.start()
  await asleep.promise
  delivery.start()
  await delivery.drain()
  const [claimed] = storedMessages(service, id)
  assert.deepEqual([claimed?.['state'], claimed?.['lease_owner']], ['sending', 'sleeper'])

  service.clock.set(claimed?.['due_at'] as number)
  await delivery.drain()
  const settled = storedMessages(service, id)
  assert.deepEqual(
    settled.map(({ state, attempts }) => [state, attempts]),
    [['sent', 2]],
  )
  waking.resolve()
  await sleeper.stop()
  assert.deepEqual(storedMessages(service, id), settled)
  const { messages } = await service.admin.listTestingChannelMessages({ otpId: id })
  assert.equal(messages.length, 1)
})
