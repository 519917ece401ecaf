import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { LimitLogStore, StoredLog } from '../../limits/limit-log.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { atOnce, t0 } from './samples.testkit.ts'

const nothing: StoredLog = { revision: '', times: '' }
const logOf = (revision: string): StoredLog => ({ revision, times: `times of ${revision}` })
const put = (store: LimitLogStore, revision: string, seen: string, key = 'resend:a') =>
  store.exchange(key, logOf(revision), t0, seen)

/** Limit logs: compare-and-swap by revision, deleted after they expire. */
export function limitTests(open: OpenStorage): void {
  test('stores a log when there is none, whatever revision was read', async () => {
    const { storage, close } = await open()
    const { limitLogs } = storage.system
    assert.deepEqual(await limitLogs.find('resend:a'), nothing)
    assert.deepEqual(await put(limitLogs, 'one', ''), logOf('one'))
    assert.deepEqual(await put(limitLogs, 'two', 'long gone', 'resend:b'), logOf('two'))
    assert.deepEqual(await limitLogs.find('resend:a'), logOf('one'))
    assert.deepEqual(await limitLogs.find('resend:b'), logOf('two'))
    assert.deepEqual(await limitLogs.find('resend'), nothing)
    await close()
  })

  test('replaces the log that was read; a log changed since stays and is returned', async () => {
    const { storage, dump, close } = await open()
    const { limitLogs } = storage.system
    await put(limitLogs, 'one', '')
    assert.deepEqual(await put(limitLogs, 'two', 'one'), logOf('two'))
    const before = await dump()
    for (const seen of ['', 'one']) assert.deepEqual(await put(limitLogs, 'three', seen), logOf('two'))
    assert.deepEqual(await dump(), before)
    await close()
  })

  test('of twenty exchanges of one log at once, one wins and all return it', async () => {
    const { storage, close } = await open()
    const { limitLogs } = storage.system
    for (const seen of ['', 'first']) {
      let count = 0
      const stored = await atOnce(20, () => put(limitLogs, `${seen} ${++count}`, seen))
      assert.equal(new Set(stored.map(({ revision }) => revision)).size, 1)
      assert.deepEqual(await limitLogs.find('resend:a'), stored[0])
      await put(limitLogs, 'first', stored[0]!.revision)
    }
    await close()
  })

  test('purges logs in batches within ten minutes of their expiry, and no others', async () => {
    const { storage, dump, close } = await open()
    const { limitLogs } = storage.system
    for (const [index, key] of ['a', 'b', 'c', 'd'].entries()) {
      await limitLogs.exchange(key, logOf(key), t0 + (index < 3 ? 1 : 600_001), '')
    }
    const left = async () => (await dump())['limit_logs']?.map(({ id }) => id)
    assert.equal(await storage.system.purge('limitLogs', t0 + 600_000, 2), false)
    assert.equal(await storage.system.purge('limitLogs', t0 + 600_001, 2), true)
    assert.equal(await storage.system.purge('limitLogs', t0 + 600_001, 2), false)
    assert.deepEqual(await left(), ['d'])
    await close()
  })
}
