import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { newTenant, schemaOf, t0 } from './samples.testkit.ts'

const [one, two] = [schemaOf('1', 1), { ...schemaOf('2', 2), indexKeys: { nickName: 'nickName@2' } }]

/** Versions of a profile schema that become current when they are indexed. */
export function schemaBuildTests(open: OpenStorage): void {
  test('a version that builds is not current, keeps others from being published, and becomes current once', async () => {
    const { storage, close } = await open()
    const { tenant } = await newTenant(storage)
    assert.equal(await tenant.startBuild(two, 2, t0), false, 'another revision')
    assert.equal(await tenant.startBuild(two, 1, t0), true)
    const building = { ...two, state: 'building' }
    const stored = await tenant.configuration()
    assert.deepEqual([stored?.revision, stored?.profileSchema, stored?.building], [2, one, building])
    assert.deepEqual(await tenant.findSchema('2'), building)
    assert.deepEqual(await Array.fromAsync(tenant.schemasAfter(0)), [one])
    assert.equal(await tenant.publishSchema(schemaOf('3', 3), 2, t0), false)
    assert.equal(await tenant.startBuild(schemaOf('3', 3), 2, t0), false)
    assert.equal(await tenant.finishBuild({ ...two, ordinal: 9 }, t0), false, 'another attempt')
    const ends = await Promise.all([tenant.finishBuild(two, t0), tenant.finishBuild(two, t0)])
    assert.deepEqual(ends.sort(), [false, true])
    const after = await tenant.configuration()
    assert.deepEqual([after?.revision, after?.profileSchema, after?.building], [3, two, null])
    assert.deepEqual(await Array.fromAsync(tenant.schemasAfter(0)), [one, two])
    await close()
  })

  test('a version that fails leaves the current one, and its name is free again', async () => {
    const { storage, close } = await open()
    const { tenant } = await newTenant(storage)
    await tenant.startBuild(two, 1, t0)
    assert.equal(await tenant.failBuild(two, [{ field: 'nickName', userIds: ['a', 'b'] }], t0), true)
    assert.equal(await tenant.failBuild(two, [], t0), false)
    assert.equal(await tenant.finishBuild(two, t0), false)
    const stored = await tenant.configuration()
    assert.deepEqual([stored?.revision, stored?.profileSchema, stored?.building], [3, one, null])
    assert.deepEqual(await tenant.findSchema('2'), { ...two, state: 'failed' })
    assert.equal(await tenant.lastOrdinal(), 2)
    const again = { ...two, ordinal: 3, indexKeys: { nickName: 'nickName@3' } }
    assert.equal(await tenant.startBuild(again, 3, t0), true)
    assert.equal(await tenant.finishBuild(two, t0), false, 'the earlier attempt of this name')
    assert.equal(await tenant.finishBuild(again, t0), true)
    assert.deepEqual(await tenant.findSchema('2'), again)
    await close()
  })
}
