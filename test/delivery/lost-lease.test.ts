import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MessageTransport } from '../../server/delivery/message-transport.ts'
import { OutboxWorker } from '../../server/delivery/outbox-worker.ts'
import { createTestingChannel } from '../../server/delivery/testing-channel.ts'
import { storedMessages } from '../support/databases/stored-rows.ts'
import { startTestService, type TestService } from '../support/service.ts'

/** A worker beside that of the service. */
function addWorker({ service }: TestService, owner: string, deliver: MessageTransport['deliver']): OutboxWorker {
  const { keyring, clock, logger, storage, snapshots } = service.services
  const transport = { canDeliver: () => true, deliver }
  const { outbox } = storage.system
  return new OutboxWorker({ outbox, keyring, clock, logger, owner, findTenant: snapshots.find, transport })
}

/** A delivery that waits: until it begins, and then until it may go on. */
function pausedDelivery(deliver: MessageTransport['deliver']) {
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  return {
    begun: begun.promise,
    goOn: goOn.resolve,
    deliver: async (...job: Parameters<MessageTransport['deliver']>) => {
      begun.resolve()
      await goOn.promise
      return deliver(...job)
    },
  }
}

/** A queued code that no worker sends. */
async function queueCode(service: TestService): Promise<string> {
  const { client } = await service.addTenant()
  await service.service.services.delivery.stop()
  const { id } = await client.issueOtp({ scope: 'otp_signin', email: 'jane@example.com' })
  return id
}

const stateOf = (service: TestService, id: string) =>
  storedMessages(service, id).map(({ state, lease_owner: owner, attempts }) => [state, owner, attempts])

/** Turns the clock to the end of the lease. */
const loseLease = (service: TestService, id: string) =>
  service.clock.set(storedMessages(service, id)[0]?.['due_at'] as number)

test('stores one message when a worker with an expired lease delivers it again', async () => {
  await using service = await startTestService()
  const { keyring, delivery } = service.service.services
  const id = await queueCode(service)
  const late = pausedDelivery(createTestingChannel(keyring).deliver)
  const sleeper = addWorker(service, 'sleeper', late.deliver)
  sleeper.start()
  await late.begun
  delivery.start()
  await delivery.drain()
  assert.deepEqual(stateOf(service, id), [['sending', 'sleeper', 1]])

  loseLease(service, id)
  await delivery.drain()
  assert.deepEqual(stateOf(service, id), [['sent', null, 2]])
  const settled = storedMessages(service, id)
  late.goOn()
  await sleeper.stop()
  assert.deepEqual(storedMessages(service, id), settled)
  const { messages } = await service.admin.listTestingChannelMessages({ otpId: id })
  assert.equal(messages.length, 1)
})

test('a failure that is recorded after the lease does not queue a message that another worker is sending', async () => {
  await using service = await startTestService()
  const id = await queueCode(service)
  const late = pausedDelivery(() => Promise.reject(new Error('broken')))
  const sleeper = addWorker(service, 'sleeper', late.deliver)
  sleeper.start()
  await late.begun
  loseLease(service, id)
  const sending = pausedDelivery(async () => ({ sender: 'other' }))
  const other = addWorker(service, 'other', sending.deliver)
  other.start()
  await sending.begun

  late.goOn()
  await sleeper.stop()
  assert.deepEqual(stateOf(service, id), [['sending', 'other', 2]])
  sending.goOn()
  await other.stop()
  assert.deepEqual(stateOf(service, id), [['sent', null, 2]])
})
