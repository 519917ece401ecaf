import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { FailingLogs } from './failing-logs.ts'

/** Failing logs whose clock `wait` turns, and the pauses that were logged. */
function start(t: TestContext) {
  let seconds = 100
  t.mock.method(performance, 'now', () => seconds * 1_000)
  const pauses: unknown[] = []
  const logs = new FailingLogs({ error: (line: object) => void pauses.push(Object(line).retryInSeconds) })
  /** How many seconds pass until a log is tried again, up to a limit. */
  function wait(tenantId: string, most = 1_000): number {
    const since = seconds
    while (!logs.due.includes(tenantId) && seconds - since < most) seconds++
    return seconds - since
  }
  return { logs, pauses, wait }
}

test('a log that fails is tried again after twice as long each time, at most a minute', (t) => {
  const { logs, pauses, wait } = start(t)
  const waited = Array.from({ length: 9 }, (_, index) => {
    logs.failed('log', new Error(`failure ${index}`))
    return wait('log')
  })
  assert.deepEqual(waited, [1, 2, 4, 8, 16, 32, 60, 60, 60])
  assert.equal(pauses[0], 1)
})

test('each log has its own pauses, which begin again once it is sealed', (t) => {
  const { logs, wait } = start(t)
  for (let failures = 0; failures < 4; failures++) logs.failed('one', new Error('one'))
  logs.failed('two', new Error('two'))
  assert.deepEqual([logs.due, wait('two'), logs.due], [[], 1, ['two']])
  logs.sealed('one')
  assert.deepEqual(logs.tenantIds, ['two'])
  logs.failed('one', new Error('again'))
  assert.equal(wait('one'), 1)
})
