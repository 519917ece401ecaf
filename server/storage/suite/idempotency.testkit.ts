import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KeyedAnswer } from '../../core/idempotency.ts'
import { eraseTenant } from '../../tenants/erase-deleted-tenants.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, newTenant, schemaOf, t0, tenantOf } from './samples.testkit.ts'

const end = t0 + 1000

const answerOf = (changes: Partial<KeyedAnswer> = {}): KeyedAnswer => ({
  id: 'id',
  subjectId: null,
  sealed: 'answer',
  expiresAt: end,
  ...changes,
})

/** Answers of requests with an `Idempotency-Key`. */
export function idempotencyTests(open: OpenStorage): void {
  test('of 64 answers stored under one id at once, one is kept until it expires', async () => {
    const { storage, close } = await open()
    const { idempotency } = await newTenant(storage)
    const kept = await atOnce(64, (index) => idempotency.add(answerOf({ sealed: `answer ${index}` }), t0))
    assert.equal(kept.filter(Boolean).length, 1)
    const first = `answer ${kept.indexOf(true)}`
    assert.equal(await idempotency.find('id', end - 1), first)
    assert.equal(await idempotency.add(answerOf(), end - 1), false)
    assert.equal(await idempotency.find('other id', t0), null)
    assert.equal(await idempotency.find('id', end), null)
    assert.equal(await idempotency.add(answerOf({ sealed: 'next', expiresAt: end + 1000 }), end), true)
    assert.equal(await idempotency.find('id', end), 'next')
    await close()
  })

  test('of transactions that store an answer at once, some of which roll back, one commits', async () => {
    const { storage, close } = await open()
    const tenant = await newTenant(storage)
    const outcomes = await atOnce(20, (index) =>
      tenant
        .write(async (tx) => {
          if (!(await tx.idempotency.add(answerOf(), t0))) return 'answered before'
          if (index % 2 === 0) throw new Error('refused')
          return 'answered'
        })
        .catch(({ message }) => message as string),
    )
    assert.equal(outcomes.filter((outcome) => outcome === 'answered').length, 1)
    await close()
  })

  test('forgets the answers about one user', async () => {
    const { storage, close } = await open()
    const { idempotency } = await newTenant(storage)
    for (const subjectId of ['ada', 'bob', null]) await idempotency.add(answerOf({ id: `${subjectId}`, subjectId }), t0)
    await idempotency.forget('ada')
    const left = await Promise.all(['ada', 'bob', 'null'].map((id) => idempotency.find(id, t0)))
    assert.deepEqual(left, [null, 'answer', 'answer'])
    await close()
  })

  test('of tenants added at once with one answer, one is stored; its answer is erased with it', async () => {
    const { storage, dump, close } = await open()
    const { tenants, idempotency } = storage.system
    const add = (id: string) =>
      tenants.add(tenantOf({ id }), {}, schemaOf('1'), answerOf({ subjectId: id, sealed: id }))
    const ids = Array.from({ length: 8 }, (_, index) => `tenant-${index}`)
    const added = await atOnce(8, (index) => add(ids[index]!))
    const id = ids[added.indexOf(true)]!
    assert.deepEqual([added.filter(Boolean).length, await tenants.count()], [1, 1])
    assert.equal(await idempotency.find('id', t0), id)
    assert.equal((await dump())['profile_schemas']?.length, 1)

    const { idempotency: own } = storage.forTenant(id)
    await own.add(answerOf(), t0)
    await tenants.markDeleted(id, t0)
    assert.equal(await own.find('id', t0), null, 'not while its rows wait for erasure')
    await eraseTenant(tenants, id, 1)
    assert.deepEqual((await dump())['idempotency_keys'], [])
    await close()
  })
}
