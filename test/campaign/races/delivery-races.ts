import assert from 'node:assert/strict'
import { ulid } from '../../../server/core/ids.ts'
import type { MessageTransport } from '../../../server/delivery/message-transport.ts'
import { OutboxWorker } from '../../../server/delivery/outbox-worker.ts'
import { newOtp } from '../../../server/otp/new-otp.ts'
import type { Storage } from '../../../server/storage/storage.ts'
import { storedRows } from '../../support/databases/stored-rows.ts'
import type { Random } from '../seeded-random.ts'
import { type RaceFixture, times } from './race-fixture.ts'

/** D18: two workers on separate connections share one outbox: every message is claimed and sent once. */
export async function workersOnOneOutbox(fixture: RaceFixture, random: Random): Promise<void> {
  const { services } = fixture.service.service
  await services.delivery.stop()
  const other = await fixture.service.database.open()
  try {
    const queued = await queueMessages(fixture, 100 + random.below(900))
    const sent: string[] = []
    const workers = [services.storage, other].map((storage) => workerOn(storage, fixture, sent))
    for (const worker of workers) worker.start()
    await Promise.all(workers.map((worker) => worker.drain()))
    await Promise.all(workers.map((worker) => worker.stop()))
    assert.deepEqual(sent.sort(), queued.sort())
    const rows = storedRows(fixture.service, 'SELECT id, state, attempts, lease_owner FROM outbox ORDER BY id')
    const mine = rows.filter(({ id }) => queued.includes(id as string))
    assert.deepEqual(
      mine,
      queued.map((id) => ({ id, state: 'sent', attempts: 1, lease_owner: null })),
    )
  } finally {
    await other.close()
    services.delivery.start()
  }
}

async function queueMessages(fixture: RaceFixture, count: number): Promise<string[]> {
  const { storage, keyring, clock } = fixture.service.service.services
  const { tenantId } = await fixture.tenantWith()
  const now = clock.now()
  const policy = { length: 6, ttlSeconds: 600, resendIntervalSeconds: 60, maxResends: 3, maxVerifyAttempts: 5 }
  const ids = times(count, () => ulid(now))
  const issue = (id: string) => {
    const to = {
      scope: 'otp_signin',
      userId: null,
      decoy: false,
      deliveryMethod: 'email',
      recipient: 'a@b.example',
    } as const
    return storage
      .forTenant(tenantId)
      .otps.issue(newOtp({ tenantId, ...to }, policy, keyring, now), { id, lease: null })
  }
  await Promise.all(ids.map(issue))
  return ids
}

function workerOn(storage: Storage, { service }: RaceFixture, sent: string[]) {
  const { keyring, clock, logger, snapshots } = service.service.services
  const transport: MessageTransport = {
    canDeliver: () => true,
    async deliver({ message }) {
      await new Promise((resolve) => setImmediate(resolve))
      sent.push(message.id)
      return {}
    },
  }
  const findTenant = snapshots.find
  const owner = ulid(clock.now())
  return new OutboxWorker({ outbox: storage.system.outbox, keyring, transport, clock, logger, owner, findTenant })
}
