import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keepersAmong, type StoredOperator } from '../../operators/operator.ts'
import type { OpenedStorage, OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, t0 } from './samples.testkit.ts'

export const operatorOf = (id: string, given: Partial<StoredOperator> = {}): StoredOperator => ({
  ...{ id, name: `Operator ${id}`, email: null, secretHash: `hash of ${id}`, previousHash: null, previousUntil: null },
  ...{ scopes: ['*'], tenantIds: null, createdBy: 'root', createdAt: t0, expiresAt: null },
  ...{ revokedAt: null, lastUsedAt: null },
  ...given,
})

const complete = operatorOf('complete', {
  email: 'ops@example.com',
  previousHash: 'previous hash',
  previousUntil: t0 + 5,
  scopes: ['users:read', 'codes:read'],
  tenantIds: ['tenant 1', 'tenant 2'],
  createdBy: 'other',
  expiresAt: t0 + 9,
  revokedAt: t0 + 7,
  lastUsedAt: t0 + 6,
})

type Probe = (opened: Pick<OpenedStorage, 'storage'>) => Promise<void>

/** What holds for operators and their keys; each on an empty database. */
export const operatorProbes: Readonly<Record<string, Probe>> = {
  'stores every field, and lists in id order after the cursor': async ({ storage }) => {
    const { operators } = storage.system
    assert.equal(await operators.find('complete'), null)
    const all = [operatorOf('a'), operatorOf('b', { revokedAt: t0 }), complete]
    for (const operator of all.toReversed()) await operators.add(operator)
    assert.deepEqual(await operators.find('complete'), complete)
    assert.deepEqual(await operators.list({ limit: 9, cursor: null }), all)
    assert.deepEqual(await operators.list({ limit: 1, cursor: 'a' }), [all[1]])
  },

  'changes the named operator only, and none that is revoked': async ({ storage }) => {
    const { operators } = storage.system
    await operators.add(operatorOf('a'))
    await operators.add(operatorOf('b'))
    const changed = {
      ...{ id: 'a', name: 'New', email: 'new@example.com', scopes: ['keys:read'] as const },
      ...{ tenantIds: ['tenant'], expiresAt: t0 + 1 },
    }
    assert.equal(await operators.update(changed), true)
    assert.deepEqual(await operators.find('a'), { ...operatorOf('a'), ...changed })
    assert.equal(await operators.rotate('b', 'second', t0 + 3), true)
    const rotated = operatorOf('b', { secretHash: 'second', previousHash: 'hash of b', previousUntil: t0 + 3 })
    assert.deepEqual(await operators.find('b'), rotated)
    assert.deepEqual(await operators.lock('b'), rotated)
    assert.equal(await operators.rotate('b', 'third', null), true)
    assert.deepEqual(await operators.find('b'), operatorOf('b', { secretHash: 'third' }))

    assert.equal(await operators.revoke('a', t0 + 4), true)
    const revoked = { ...operatorOf('a'), ...changed, revokedAt: t0 + 4 }
    assert.equal(await operators.revoke('a', t0 + 5), false)
    assert.equal(await operators.rotate('a', 'hash', null), false)
    assert.equal(await operators.update({ ...changed, name: 'Late' }), false)
    assert.equal(await operators.lock('a'), null)
    assert.deepEqual(await operators.find('a'), revoked)
    assert.deepEqual(await operators.find('b'), operatorOf('b', { secretHash: 'third' }))
  },

  'counts as keepers those who can change operators for good': async ({ storage }) => {
    const { operators } = storage.system
    await operators.add(operatorOf('all'))
    await operators.add(operatorOf('bound', { tenantIds: ['tenant'] }))
    await operators.add(operatorOf('expires', { expiresAt: t0 + 1 }))
    await operators.add(operatorOf('named', { scopes: ['users:read', 'operators:write'] }))
    await operators.add(operatorOf('reads', { scopes: ['operators:read', 'system:write'] }))
    await operators.add(operatorOf('revoked', { revokedAt: t0 }))
    assert.deepEqual(keepersAmong(await operators.lasting()), ['all', 'named'])
    assert.deepEqual(keepersAmong(await operators.lockLasting()).sort(), ['all', 'named'])
  },

  'of removals at once that each leave one keeper, one always stays': async ({ storage }) => {
    const { system } = storage
    for (const id of ['a', 'b', 'c', 'd']) await system.operators.add(operatorOf(id))
    const ids = ['a', 'b', 'c', 'd'].values()
    const removed = await atOnce(4, () => {
      const { value: id } = ids.next()
      return system.write(async ({ operators }) => {
        const keepers = keepersAmong(await operators.lockLasting())
        return keepers.includes(id!) && keepers.length > 1 ? operators.revoke(id!, t0) : false
      })
    })
    assert.equal(removed.filter(Boolean).length, 3)
    assert.equal(keepersAmong(await system.operators.lasting()).length, 1)
  },

  'moves the last use of a key forward only': async ({ storage }) => {
    const { operators } = storage.system
    for (const id of ['a', 'b']) await operators.add(operatorOf(id))
    await operators.touchKeys(new Map([['a', t0 + 5]]))
    await operators.touchKeys(new Map([['a', t0 + 4]]))
    assert.deepEqual(await operators.find('a'), operatorOf('a', { lastUsedAt: t0 + 5 }))
    assert.deepEqual(await operators.find('b'), operatorOf('b'))
  },
}

/** Operators and their keys. */
export function operatorTests(open: OpenStorage): void {
  for (const [sentence, probe] of Object.entries(operatorProbes)) {
    test(sentence, async () => {
      const opened = await open()
      await probe(opened)
      await opened.close()
    })
  }
}
