import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { until } from '../../../test/support/until.ts'
import type { TenantStorage } from '../storage.ts'
import type { DatabaseUnavailable } from '../storage-error.ts'
import { atOnce, newTenant, schemaOf, userOf } from '../suite/samples.testkit.ts'
import { openTestStorage } from './open-storage.testkit.ts'

const adding = (tenant: TenantStorage, id: string) => tenant.users.add(userOf({ id }), null)

test('writes that wait together share a COMMIT, up to the group size', async () => {
  let commits = 0
  const opened = await openTestStorage({ groupSize: 32, hooks: { beforeCommit: () => commits++ } })
  const tenant = await newTenant(opened.storage)
  commits = 0
  await atOnce(64, (index) => adding(tenant, `user-${index}`))
  assert.equal(commits, 2)
  await opened.close()
})

test('a failed COMMIT keeps nothing and rejects every job of its group', async () => {
  let failing = false
  const beforeCommit = () => {
    if (failing) throw new Error('disk failure')
  }
  const opened = await openTestStorage({ hooks: { beforeCommit } })
  const tenant = await newTenant(opened.storage)
  const before = await opened.dump()
  const called: string[] = []
  failing = true
  const group = [
    adding(tenant, 'one'),
    tenant.write(async (tx) => tx.onCommit(() => called.push('of a failed commit'))),
    tenant.write(async () => Promise.reject(new Error('its own refusal'))),
  ]
  for (const { status, reason } of (await Promise.allSettled(group)) as PromiseRejectedResult[]) {
    assert.equal(status, 'rejected')
    assert.match(String(reason), /disk failure/)
  }
  assert.deepEqual(await opened.dump(), before)
  assert.deepEqual(called, [])
  failing = false
  await adding(tenant, 'two')
  assert.notEqual(await tenant.users.find('two'), null)
  await opened.close()
})

test('jobs settle only after COMMIT, rejected ones too', async () => {
  const settled: string[] = []
  let settledBeforeCommit: string[] | null = null
  const beforeCommit = () => {
    settledBeforeCommit = [...settled]
  }
  const opened = await openTestStorage({ hooks: { beforeCommit } })
  const tenant = await newTenant(opened.storage)
  await Promise.all([
    adding(tenant, 'one').then(() => settled.push('success')),
    tenant.write(() => Promise.reject(new Error('no'))).catch(() => settled.push('refusal')),
    adding(tenant, 'two').then(() => settled.push('success')),
  ])
  assert.deepEqual(settledBeforeCommit, [])
  assert.deepEqual(settled.sort(), ['refusal', 'success', 'success'])
  await opened.close()
})

test('work that awaits anything except its stores is rolled back; the other jobs of the group succeed', async () => {
  const opened = await openTestStorage()
  const tenant = await newTenant(opened.storage)
  const lateUse = new Set<string>()
  const waits = {
    forATimer: () => pause(20),
    forTheLoop: () => nextTurn(),
    forever: () => new Promise(() => {}),
    forAWriteOfItsOwn: () => adding(tenant, 'nested'),
  }
  const waiting = Object.entries(waits).map(([id, wait]) =>
    tenant.write(async (tx) => {
      await tx.users.add(userOf({ id }), null)
      await wait()
      await tx.users.add(userOf({ id: `${id}, later` }), null).catch(() => lateUse.add(id))
    }),
  )
  const others = [adding(tenant, 'one'), adding(tenant, 'two')]
  for (const work of waiting) await assert.rejects(work, /awaited something other than its own stores/)
  await Promise.all(others)
  // All except the one that waits forever are refused after their transaction.
  await until(() => lateUse.size === 3)
  for (const id of Object.keys(waits)) {
    assert.equal(await tenant.users.find(id), null, id)
    assert.equal(await tenant.users.find(`${id}, later`), null, id)
  }
  for (const id of ['one', 'two', 'nested']) assert.notEqual(await tenant.users.find(id), null, id)
  await opened.close()
})

test('a write that is started inside another one and not awaited runs in its own transaction', async () => {
  const opened = await openTestStorage()
  const tenant = await newTenant(opened.storage)
  let nested: Promise<unknown> | undefined
  await assert.rejects(
    tenant.write(async () => {
      nested = adding(tenant, 'nested')
      throw new Error('no')
    }),
  )
  await nested
  assert.notEqual(await tenant.users.find('nested'), null)
  await opened.close()
})

test('work that returns before a call it made has finished is rolled back', async () => {
  const opened = await openTestStorage()
  const tenant = await newTenant(opened.storage)
  let call: Promise<unknown> | undefined
  const careless = tenant.write(async (tx) => {
    call = tx.tenant.publishSchema(schemaOf('2', 2), 1, 0)
  })
  await assert.rejects(careless, /while one of its calls was running/)
  await Promise.allSettled([call])
  assert.equal((await tenant.tenant.get())?.revision, 1)
  assert.equal(await tenant.tenant.findSchema('2'), null)
  await opened.close()
})

test('a failed statement dooms its transaction even if the work catches the error', async () => {
  let failing = false
  const onStatement = (name: string) => {
    if (failing && name === 'session.revokeAllOf') throw new Error('no such luck')
  }
  const opened = await openTestStorage({ hooks: { onStatement } })
  const tenant = await newTenant(opened.storage)
  failing = true
  const [caught, other] = await Promise.allSettled([
    tenant.write(async (tx) => {
      await tx.users.add(userOf({ id: 'u' }), null)
      await tx.sessions.revokeAllOf('u', 0).catch(() => {})
    }),
    adding(tenant, 'other'),
  ])
  assert.deepEqual([caught.status, other.status], ['rejected', 'fulfilled'])
  assert.equal(await tenant.users.find('u'), null)
  await opened.close()
})

test('reports an error of a commit callback, and runs the other callbacks', async (context) => {
  const { mock } = context.mock.method(process.stderr, 'write', () => true)
  const opened = await openTestStorage()
  const tenant = await newTenant(opened.storage)
  const called: string[] = []
  await tenant.write(async (tx) => {
    tx.onCommit(() => assert.fail('a broken callback'))
    tx.onCommit(() => called.push('the next one'))
    await tx.users.add(userOf({ id: 'u' }), null)
  })
  assert.match(String(mock.calls.map(({ arguments: [text] }) => text)), /commit callback failed: .*a broken callback/)
  assert.deepEqual(called, ['the next one'])
  assert.notEqual(await tenant.users.find('u'), null)
  await opened.close()
})

test('after a failed fsync the outcome is unknown, later writes are refused, and reads succeed', async () => {
  let failing = false
  const beforeCommit = () => {
    if (failing) throw Object.assign(new Error('disk I/O error'), { errcode: 1034 })
  }
  const fatal: Error[] = []
  const opened = await openTestStorage({ hooks: { beforeCommit }, onFatal: (error) => fatal.push(error) })
  const { storage } = opened
  const tenant = await newTenant(storage)
  await adding(tenant, 'before')
  await storage.ping()
  assert.equal(storage.failure, null)
  failing = true
  const isUnknown = { name: 'OutcomeUnknown', code: 'INTERNAL_SERVER', message: /disk I\/O error/ }
  await assert.rejects(adding(tenant, 'during'), isUnknown)
  failing = false
  for (const refused of [adding(tenant, 'after'), adding(tenant, 'later'), storage.ping()]) {
    await assert.rejects(refused, (error: DatabaseUnavailable) => {
      assert.deepEqual([error.code, error.details], ['SERVICE_UNAVAILABLE', { retryAfterSeconds: 5 }])
      assert.match(String(error.cause), /fsync failed; writes are refused until the server is restarted/)
      return true
    })
  }
  assert.deepEqual(fatal, [storage.failure], 'reported once')
  assert.notEqual(await tenant.users.find('before'), null)
  assert.equal(await tenant.users.find('during'), null)
  await opened.close()
})

test('after a failed fsync, writes that were queued before it are refused', async () => {
  let failing = false
  const beforeCommit = () => {
    if (!failing) return
    failing = false
    throw Object.assign(new Error('disk I/O error'), { errcode: 1034 })
  }
  const opened = await openTestStorage({ groupSize: 1, hooks: { beforeCommit } })
  const tenant = await newTenant(opened.storage)
  failing = true
  const results = await Promise.allSettled(['during', 'queued', 'queued too'].map((id) => adding(tenant, id)))
  const codes = results.map((result) => (result.status === 'rejected' ? result.reason.code : null))
  assert.deepEqual(codes, ['INTERNAL_SERVER', 'SERVICE_UNAVAILABLE', 'SERVICE_UNAVAILABLE'])
  assert.deepEqual((await opened.dump())['users'], [])
  await opened.close()
})
