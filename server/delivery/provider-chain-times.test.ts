import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { renderedEmail } from '../../test/support/peers/rendered-message.ts'
import { suspend } from '../../test/support/suspend.ts'
import { type Answer, chainOf, hang, later, yes } from './provider-chain.testkit.ts'

test('opens no circuit when this process was suspended during the attempts', async () => {
  const { asked, chain, send } = chainOf({ a: hang, b: hang }, 100)
  const sends = Promise.allSettled(Array.from({ length: 5 }, send))
  suspend(1_200)
  for (const { reason } of (await sends) as PromiseRejectedResult[])
    assert.match(reason.message, /^a: did not accept the message within 1 s; b: was not tried$/)
  assert.equal(chain.openCircuits, 0)
  assert.deepEqual(asked, ['a', 'a', 'a', 'a', 'a'])
})

for (const [left, suspendedMs] of [
  ['less than half its time', 70],
  ['no time', 200],
] as const) {
  test(`tries no message that has ${left} left after this process was suspended while it waited for a connection`, async () => {
    const answers: Record<string, Answer> = { a: () => pause(1) }
    const { asked, chain, send } = chainOf(answers, 100, 5)
    const sends = Promise.all(Array.from({ length: 5 }, send))
    answers['a'] = hang
    const failure = { message: 'a: all its connections are busy with other messages' }
    const waiting = Promise.all(Array.from({ length: 5 }, () => assert.rejects(send(), failure)))
    suspend(suspendedMs)
    await Promise.all([sends, waiting])
    assert.equal(chain.openCircuits, 0)
    assert.equal(asked.length, 5)
  })
}

test('gives the last of five providers its time when the others hang, within the limit of an attempt', async () => {
  const { asked, send } = chainOf({ a: hang, b: hang, c: hang, d: hang, e: yes }, 3_000)
  const begun = performance.now()
  assert.equal(await send(), 'e')
  assert.ok(performance.now() - begun < 3_000)
  assert.deepEqual(asked, ['a', 'b', 'c', 'd', 'e'])
})

test('divides the time that a failed provider leaves among the next ones', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { asked, send } = chainOf({ a: later, b: hang, c: yes })
  const sent = send()
  await nextTurn()
  t.mock.timers.tick(11_000)
  await nextTurn()
  assert.deepEqual(asked, ['a', 'b'])
  t.mock.timers.tick(1_500)
  assert.equal(await sent, 'c')
})

test('tries no further provider after an abort, and fails temporarily', async () => {
  const { asked, chain } = chainOf({ a: hang, b: yes })
  const given = new AbortController()
  const sent = chain.send(renderedEmail(), given.signal)
  given.abort()
  await assert.rejects(sent, {
    name: 'TemporaryFailure',
    message: 'a: The attempt was aborted before a response; b: was not tried',
  })
  assert.deepEqual(asked, ['a'])
})
