import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startPostgres } from '../../../test/support/databases/postgres-server.ts'
import {
  claim,
  identityOf,
  keyOf,
  messageOf,
  newTenant,
  noticeOf,
  otpOf,
  profileOf,
  t0,
  userOf,
} from '../suite/samples.testkit.ts'
import { storageSuite } from '../suite/storage-suite.testkit.ts'
import { requireNoOrphanHeads } from './orphan-heads.testkit.ts'
import { type PostgresForTests, postgresForTests } from './postgres.testkit.ts'

let postgres: PostgresForTests
before(async () => {
  postgres = await postgresForTests(await startPostgres())
})
after(() => postgres.close())

storageSuite('PostgreSQL', () => postgres.openShared())

test('sends outbox updates and the next claim in one round trip', async () => {
  const sent: string[] = []
  let atOnce: readonly string[] = []
  const onStatement = (name: string) => {
    sent.push(name)
    if (name === 'outbox.finish') queueMicrotask(() => (atOnce = [...sent]))
  }
  const { storage, close } = await postgres.open({ hooks: { onStatement } })
  const { outbox } = storage.system
  const { messages } = await newTenant(storage)
  for (let count = 0; count < 3; count++) await messages.notify(noticeOf())
  const claimed = await claim(outbox, 'me', t0, t0 + 10, 2)
  sent.length = 0
  const results = claimed.map(({ tenantId, id }) => ({ tenantId, id, state: 'cancelled' }) as const)
  const request = { owner: 'me', now: t0, leaseUntil: t0 + 10, batch: 2 }
  assert.equal((await outbox.recordAndClaim(results, request)).length, 1)
  assert.deepEqual(atOnce, ['outbox.finish', 'outbox.finish', 'postgres.outbox.claim'])
  await close()
})

test('skips a message that another process is claiming, without waiting', async () => {
  const { storage, close } = await postgres.open()
  const { messages } = await newTenant(storage)
  for (const id of ['taken', 'left']) await messages.notify(noticeOf({ id }))
  await postgres.execute("BEGIN; SELECT FROM outbox WHERE id = 'taken' FOR UPDATE")
  const claimed = await claim(storage.system.outbox, 'me', t0, t0 + 10, 10).finally(() => postgres.execute('ROLLBACK'))
  assert.deepEqual(
    claimed.map(({ id }) => id),
    ['left'],
  )
  await close()
})

test('leaves no head of a log whose events are erased between read and sealing', () => requireNoOrphanHeads(postgres))

test('a transaction that waited for a user’s row lock reads the current identities', async () => {
  const { storage, close } = await postgres.open()
  const tenant = await newTenant(storage)
  await tenant.users.add(userOf({ id: 'u' }), null)
  for (const provider of ['apple', 'google'] as const)
    await tenant.identities.add(identityOf({ userId: 'u', provider }))
  await postgres.execute("BEGIN; UPDATE users SET guest = guest; DELETE FROM identities WHERE provider = 'google'")
  const held = tenant.write((tx) => tx.users.lock('u'))
  await postgres.untilBlocked(1)
  await postgres.execute('COMMIT')
  assert.deepEqual((await held)?.providers, ['apple'])
  await close()
})

test('marks fields as unproven that are stored while it waits for the profile’s row lock', async () => {
  const { storage, close } = await postgres.open()
  const { profiles } = await newTenant(storage)
  await profiles.save(profileOf({ userId: 'u', values: { city: 'Bonn' } }), null)
  await postgres.execute(
    `BEGIN; UPDATE profiles SET content = '{"city":"Bonn","iban":"DE89"}', revision = revision + 1`,
  )
  const marked = profiles.markUnproven('u')
  await postgres.untilBlocked(1)
  await postgres.execute('COMMIT')
  await marked
  assert.deepEqual((await profiles.find('u'))?.unprovenFields, ['city', 'iban'])
  await close()
})

test('concurrent updates of the same keys’ last use do not deadlock', async () => {
  let sent = 0
  const onStatement = (name: string) => {
    if (name === 'directory.touchKey') sent++
  }
  const { storage, close } = await postgres.open({ hooks: { onStatement } })
  const { keys } = await newTenant(storage)
  const ids = ['a', 'b', 'c']
  for (const id of ids) await keys.add(keyOf({ id }))
  // Both updates have started when the row in the middle is unlocked.
  await postgres.execute("BEGIN; UPDATE tenant_keys SET name = name WHERE id = 'b'")
  const noted = [ids, ids.toReversed()].map((order) =>
    storage.system.tenants.touchKeys(new Map(order.map((id) => [id, t0 + 1]))),
  )
  await postgres.untilBlocked(2)
  await postgres.execute('COMMIT')
  await Promise.all(noted)
  assert.equal(sent, 2 * ids.length, 'without retries')
  await close()
})

for (const [first, second] of [
  ['code', 'notice'],
  ['notice', 'code'],
] as const) {
  test(`recording results does not deadlock with forgetting recipients when the id of the ${first} is lower`, async () => {
    const recorded: string[] = []
    const onStatement = (name: string) => {
      if (name === 'outbox.finish') recorded.push(name)
    }
    const { storage, close } = await postgres.open({ hooks: { onStatement } })
    const { outbox } = storage.system
    const { otps, messages } = await newTenant(storage)
    const ids = { [first]: 'a', [second]: 'b' }
    await otps.issue(otpOf({ userId: 'u' }), messageOf(ids['code']!))
    await messages.notify(noticeOf({ id: ids['notice']!, userId: 'u' }))
    const claimed = await claim(outbox, 'me', t0, t0 + 10, 2)
    const results = claimed
      .map(({ tenantId, id }) => ({ tenantId, id, state: 'sent' }) as const)
      .sort((a) => (a.id === ids['notice'] ? -1 : 1))
    await postgres.execute(`BEGIN; SELECT FROM outbox WHERE id = '${ids['notice']}' FOR UPDATE`)
    const recording = outbox.recordAndClaim(results, { owner: 'me', now: t0, leaseUntil: t0, batch: 0 })
    await postgres.untilBlocked(1)
    const forgetting = messages.forgetRecipients('u')
    await postgres.untilBlocked(2)
    await postgres.execute('COMMIT')
    await Promise.all([recording, forgetting])
    assert.equal(recorded.length, 2, 'without retries')
    await close()
  })
}

test('keeps a rate limit log that is renewed while the purge waits for its row lock', async () => {
  const { storage, close } = await postgres.open()
  const { limitLogs } = storage.system
  await limitLogs.exchange('renewed', { revision: 'a', times: '1' }, t0, '')
  await postgres.execute(`BEGIN; UPDATE limit_logs SET expires_at = ${t0 + 3_600_000}`)
  const purged = storage.system.purge('limitLogs', t0 + 1_000_000, 10)
  await postgres.untilBlocked(1)
  await postgres.execute('COMMIT')
  assert.equal(await purged, false)
  assert.equal((await limitLogs.find('renewed')).times, '1')
  await close()
})

test('keeps an answer that replaces an expired one while the purge waits for its row lock', async () => {
  const { storage, close } = await postgres.open()
  const { idempotency } = await newTenant(storage)
  await idempotency.add({ id: 'id', subjectId: null, sealed: 'first', expiresAt: t0 }, t0 - 1)
  await postgres.execute(`BEGIN; UPDATE idempotency_keys SET sealed = 'second', expires_at = ${t0 + 10}`)
  const purged = storage.system.purge('idempotencyKeys', t0 + 1, 10)
  await postgres.untilBlocked(1)
  await postgres.execute('COMMIT')
  assert.equal(await purged, false)
  assert.equal(await idempotency.find('id', t0 + 2), 'second')
  await close()
})
