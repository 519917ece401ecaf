import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf, newTenant, noticeOf, sessionOf, t0 } from '../suite/samples.testkit.ts'
import { openTestStorage } from './open-storage.testkit.ts'

test('the latest time is the newest of the last message, session and use of a key', async () => {
  const { storage, close } = await openTestStorage()
  assert.equal(await storage.latestTime(), null)
  const { keys, messages, sessions } = await newTenant(storage)
  await keys.add(keyOf({ id: 'k1' }))
  assert.equal(await storage.latestTime(), null)
  await messages.notify(noticeOf({ createdAt: t0 + 1 }))
  assert.equal(await storage.latestTime(), t0 + 1)
  const device = { userAgent: null, network: '192.0.2.0/24' }
  await sessions.add(sessionOf({ createdAt: t0 + 2 }), { refreshHash: 'first', amr: ['pwd'] }, device)
  assert.equal(await storage.latestTime(), t0 + 2)
  await storage.system.tenants.touchKeys(new Map([['k1', t0 + 3]]))
  assert.equal(await storage.latestTime(), t0 + 3)
  await close()
})
