import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import type { Executor, Sql } from '../database.ts'
import { CallerRecords } from './caller-record.ts'

/** Caller records of a database that knows no key, and the keys that were looked up. Reads start after `ready`. */
function callerRecords(ready: () => Promise<unknown>) {
  const lookups: unknown[] = []
  const sql = {
    row: async (_statement: unknown, keyId: unknown) => {
      lookups.push(keyId)
      return null
    },
  } as unknown as Sql
  const executor = { read: async (work: (sql: Sql) => unknown) => ready().then(() => work(sql)) } as unknown as Executor
  return { lookups, records: new CallerRecords(executor) }
}

test('callers with the same key and session in one turn share a lookup', async () => {
  const { lookups, records } = callerRecords(turn)
  const callers = [...Array(64).fill(['a', null]), ['b', null], ['a', 's'], ['a', 't'], ['a', 's']]
  await Promise.all(callers.map(([key, session]) => records.find(key, session)))
  assert.deepEqual(lookups, ['a', 'b', 'a', 'a'])
  await records.find('a', null)
  assert.equal(lookups.length, 5)
})

test('a lookup that was sent serves no caller who asks later, even in the same turn', async () => {
  const { lookups, records } = callerRecords(() => Promise.resolve())
  const first = records.find('a', null)
  while (lookups.length === 0) await Promise.resolve()
  await Promise.all([first, records.find('a', null)])
  assert.deepEqual(lookups, ['a', 'a'])
})

test('a caller does not wait with a lookup of an earlier turn, whose timeout comes first', async () => {
  const connections = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const waiting = connections.values()
  const { records } = callerRecords(() => waiting.next().value!.promise)
  const early = records.find('a', null)
  await turn()
  const late = records.find('a', null)
  connections[0]!.reject(new Error('no connection in time'))
  await assert.rejects(early, /no connection/)
  connections[1]!.resolve()
  assert.equal(await late, null)
})
