import assert from 'node:assert/strict'
import { type IncomingMessage, ServerResponse } from 'node:http'
import { test } from 'node:test'
import { drained } from './drained.ts'

const open = () => new ServerResponse({ method: 'GET' } as IncomingMessage)

test('waits on while the right to read cannot be checked, and ends when it is gone', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] })
  const rights = [Promise.reject(new Error('the database is away')), Promise.resolve(true), Promise.resolve(false)]
  let asked = 0
  const waited = drained(open(), new AbortController().signal, () => rights[asked++]!)
  for (const _ of rights) t.mock.timers.tick(1_000)
  assert.equal(await waited, false)
  t.mock.timers.tick(10_000)
  assert.equal(asked, rights.length, 'checks no more')
})

test('resolves when more can be written or the stream ends, and rejects when the response fails', async () => {
  const mayRead = async () => true
  const [raw, ends] = [open(), new AbortController()]
  const [first, second] = [drained(raw, ends.signal, mayRead), drained(open(), ends.signal, mayRead)]
  raw.emit('drain')
  assert.equal(await first, true)
  ends.abort()
  assert.equal(await second, true)
  const failed = open()
  const third = drained(failed, new AbortController().signal, mayRead)
  failed.emit('error', new Error('the connection failed'))
  await assert.rejects(third, /the connection failed/)
})
