import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OperatorSession } from '../../operators/operator-session.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { t0 } from './samples.testkit.ts'

const sessionOf = (id: string, changes: Partial<OperatorSession> = {}): OperatorSession => ({
  id,
  operatorId: 'ada',
  rootHash: null,
  createdAt: t0,
  lastUsedAt: t0,
  endsAt: t0 + 1_000,
  network: '192.0.2.0/24',
  userAgent: 'Chrome 142 on Linux',
  ...changes,
})

/** The console sessions of operators. */
export function operatorSessionTests(open: OpenStorage): void {
  test('finds a session as it was added, and none that was not', async () => {
    const { storage, close } = await open()
    const { operatorSessions } = storage.system
    const sessions = [sessionOf('a'), sessionOf('b', { operatorId: 'root', rootHash: 'hash', userAgent: null })]
    await storage.system.write(async (tx) => {
      for (const session of sessions) await tx.operatorSessions.add(session)
    })
    for (const session of sessions) assert.deepEqual(await operatorSessions.find(session.id), session)
    assert.equal(await operatorSessions.find('c'), null)
    await close()
  })

  test('notes a use only when none was noted since, and of that session alone', async () => {
    const { storage, close } = await open()
    const { operatorSessions } = storage.system
    for (const id of ['a', 'b']) await operatorSessions.add(sessionOf(id))
    await operatorSessions.touch('a', t0 + 59, t0 - 1)
    assert.equal((await operatorSessions.find('a'))?.lastUsedAt, t0)
    await operatorSessions.touch('a', t0 + 60, t0)
    assert.deepEqual(await operatorSessions.find('a'), sessionOf('a', { lastUsedAt: t0 + 60 }))
    assert.deepEqual(await operatorSessions.find('b'), sessionOf('b'))
    await close()
  })

  test('ends one session, or all of an operator', async () => {
    const { storage, close } = await open()
    const { operatorSessions } = storage.system
    for (const id of ['a', 'b', 'c']) await operatorSessions.add(sessionOf(id))
    await operatorSessions.add(sessionOf('d', { operatorId: 'grace' }))
    const left = async () => {
      const found = await Promise.all(['a', 'b', 'c', 'd'].map((id) => operatorSessions.find(id)))
      return found.flatMap((session) => session?.id ?? [])
    }
    await operatorSessions.end('a')
    await operatorSessions.end('a')
    assert.deepEqual(await left(), ['b', 'c', 'd'])
    await operatorSessions.endAllOf('ada')
    assert.deepEqual(await left(), ['d'])
    await close()
  })

  test('purges sessions after their latest end, in batches', async () => {
    const { storage, dump, close } = await open()
    const { operatorSessions, purge } = storage.system
    for (const [index, id] of ['a', 'b', 'c', 'd'].entries())
      await operatorSessions.add(sessionOf(id, { endsAt: t0 + index }))
    assert.equal(await purge('operatorSessions', t0 + 3, 2), true)
    assert.equal(await purge('operatorSessions', t0 + 3, 2), false)
    assert.deepEqual(
      (await dump())['operator_sessions']?.map(({ id }) => id),
      ['d'],
    )
    await close()
  })
}
