import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostListedSessions } from '../stores/sessions.ts'
import type { OpenStorage } from './opened-storage.testkit.ts'
import { newTenant, t0 } from './samples.testkit.ts'

/** Users with more sessions than a list shows. */
export function manySessionTests(open: OpenStorage): void {
  test('lists the sessions of a user that were used last, and counts all that are live', async () => {
    const { storage, execute, close } = await open()
    const { sessions } = await newTenant(storage, { id: 't' })
    const count = mostListedSessions + 2
    await execute(
      `INSERT INTO sessions (tenant_id, id, user_id, refresh_hash, address, created_at, last_used_at, idle_expires_at, expires_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
       SELECT 't', CAST(i AS TEXT), 'u', CAST(i AS TEXT), '', ${t0}, ${t0} + i, ${t0 + 50_000} + i, ${t0 + 100_000} FROM n`,
    )
    const listed = await sessions.listOf('u', t0)
    assert.deepEqual(
      listed.map(({ id }) => Number(id)),
      Array.from({ length: mostListedSessions }, (_, index) => count - index),
    )
    assert.deepEqual([await sessions.countOf('u', t0), await sessions.countOf('u', t0 + 50_001)], [count, count - 1])
    assert.equal(await sessions.countOf('another', t0), 0)
    await sessions.revoke('u', '1', t0)
    await execute(`UPDATE sessions SET expires_at = ${t0 + 1} WHERE id = '2'`)
    assert.equal(await sessions.countOf('u', t0 + 1), count - 2, 'without one that was ended, and one that expired')
    await close()
  })
}
