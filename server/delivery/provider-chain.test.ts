import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canaryCode, renderedEmail } from '../../test/support/peers/rendered-message.ts'
import { TemporaryFailure } from './provider.ts'
import { type Answer, chainOf, hang, later, no, yes } from './provider-chain.testkit.ts'

const greylisted: Answer = () =>
  Promise.reject(new TemporaryFailure('450 greylisted, try later', { concerns: 'message' }))
const wait =
  (seconds: number): Answer =>
  () =>
    Promise.reject(new TemporaryFailure('429 slow down', { retryAfterSeconds: seconds }))

test('returns the first provider that accepts the message and tries no other', async () => {
  const { asked, send } = chainOf({ a: yes, b: yes })
  assert.equal(await send(), 'a')
  assert.deepEqual(asked, ['a'])
})

for (const [reason, answer] of Object.entries({ 'a final no': no, 'a "later"': later, 'a bug': bug })) {
  test(`after ${reason} the next one is asked`, async () => {
    const { asked, send } = chainOf({ a: answer, b: answer, c: yes })
    assert.equal(await send(), 'c')
    assert.deepEqual(asked, ['a', 'b', 'c'])
  })
}

/** As a library throws: with the message in its words. */
function bug(): Promise<void> {
  throw new TypeError(`cannot send ${canaryCode}`)
}

test('fails permanently with every error when all providers reject the message', async () => {
  const { send } = chainOf({ a: no, b: no })
  await assert.rejects(send(), { name: 'PermanentFailure', message: 'a: 550 no such user; b: 550 no such user' })
})

test('fails temporarily when one provider may accept the message later', async () => {
  for (const answers of [
    { a: no, b: later },
    { a: later, b: no },
  ])
    await assert.rejects(chainOf(answers).send(), { name: 'TemporaryFailure', message: /a: .+; b: / })
})

test('waits for the shortest requested time, or not at all if one provider requests none', async () => {
  const waitOf = async (answers: Record<string, Answer>) => {
    const error = await chainOf(answers)
      .send()
      .catch((reason: unknown) => reason)
    assert.ok(error instanceof TemporaryFailure)
    return error.retryAfterSeconds
  }
  assert.equal(await waitOf({ a: wait(30), b: wait(20), c: no }), 20)
  assert.equal(await waitOf({ a: wait(30), b: later }), undefined)
})

test('shows only the type of an unexpected error', async () => {
  const error = await chainOf({ a: bug })
    .send()
    .catch((reason: unknown) => reason)
  assert.ok(error instanceof TemporaryFailure)
  assert.equal(error.message, 'a: failed unexpectedly (TypeError)')
  assert.doesNotMatch(`${error.stack}${String(error.cause)}`, new RegExp(canaryCode))
})

test('skips a provider after five failures until its circuit admits a probe', async () => {
  const answers: Record<string, Answer> = { a: later, b: yes }
  const { asked, clock, send } = chainOf(answers)
  for (let message = 0; message < 5; message++) await send()
  asked.length = 0
  assert.equal(await send(), 'b')
  assert.deepEqual(asked, ['b'])
  clock.advance(10_000)
  await Promise.all([send(), send()])
  assert.deepEqual(asked.toSorted(), ['a', 'b', 'b', 'b'], 'one message tries, not both')
})

test('waits for the first circuit to admit a probe when all are open, and reports the last error of each', async () => {
  const { asked, clock, send } = chainOf({ a: later, b: later })
  for (let message = 0; message < 5; message++) await assert.rejects(send())
  clock.advance(3_500)
  asked.length = 0
  await assert.rejects(send(), {
    name: 'TemporaryFailure',
    retryAfterSeconds: 7,
    message: 'a: circuit open for 7 s; last error: 421 busy; b: circuit open for 7 s; last error: 421 busy',
  })
  assert.deepEqual(asked, [])
})

for (const [reply, answer, name] of [
  ['final noes', no, 'PermanentFailure'],
  ['deferrals', greylisted, 'TemporaryFailure'],
] as const) {
  test(`${reply} about single messages never open the circuit`, async () => {
    const { asked, send } = chainOf({ a: answer })
    for (let message = 0; message < 20; message++) await assert.rejects(send(), { name })
    assert.equal(asked.length, 20)
  })

  test(`${reply} about single messages do not hide the failures around them`, async () => {
    const answers: Record<string, Answer> = { a: later }
    const { asked, clock, chain, send } = chainOf(answers)
    for (let message = 0; message < 9; message++) {
      answers['a'] = message % 2 === 0 ? later : answer
      clock.advance(1)
      await assert.rejects(send())
    }
    assert.equal(chain.openCircuits, 1, 'five failures in a row')
    await assert.rejects(send(), { message: 'a: circuit open for 10 s; last error: 421 busy' })
    assert.equal(asked.length, 9)
  })

  test(`a probe that ends with one of the ${reply} closes the circuit, and one failure opens it again`, async () => {
    const answers: Record<string, Answer> = { a: later }
    const { asked, clock, chain, send } = chainOf(answers)
    for (let message = 0; message < 5; message++) await assert.rejects(send())
    clock.advance(10_000)
    answers['a'] = answer
    await assert.rejects(send(), { name })
    assert.equal(chain.openCircuits, 0)
    answers['a'] = later
    clock.advance(1)
    await assert.rejects(send())
    asked.length = 0
    await assert.rejects(send(), { message: 'a: circuit open for 20 s; last error: 421 busy' })
    assert.deepEqual(asked, [])
    clock.advance(20_000)
    answers['a'] = yes
    assert.equal(await send(), 'a')
  })
}

test('reports an open circuit with its last error while a probe is running, without waiting for its connection', async () => {
  const answers: Record<string, Answer> = { a: later }
  const { clock, send } = chainOf(answers, undefined, 1)
  for (let message = 0; message < 5; message++) await assert.rejects(send())
  clock.advance(10_000)
  const reply = Promise.withResolvers<void>()
  answers['a'] = () => reply.promise
  const probe = send()
  await assert.rejects(send(), { message: 'a: circuit open, trying one message first; last error: 421 busy' })
  reply.resolve()
  assert.equal(await probe, 'a')
  answers['a'] = yes
  assert.equal(await send(), 'a')
})

test('a circuit that no message has tried since its pause is not counted', async () => {
  const answers: Record<string, Answer> = { a: later }
  const { clock, chain, send } = chainOf(answers)
  for (let message = 0; message < 5; message++) await assert.rejects(send())
  clock.advance(10_000 + 299_999)
  assert.equal(chain.openCircuits, 1)
  // Its tenant was deleted, or sends nothing.
  clock.advance(1)
  assert.equal(chain.openCircuits, 0)
  await assert.rejects(send())
  assert.equal(chain.openCircuits, 1)
})

test('a probe that is aborted keeps the circuit open, and the next message is the probe', async () => {
  const answers: Record<string, Answer> = { a: later }
  const { clock, chain, send } = chainOf(answers)
  for (let message = 0; message < 5; message++) await assert.rejects(send())
  clock.advance(10_000)
  answers['a'] = hang
  const given = new AbortController()
  const probe = chain.send(renderedEmail(), given.signal)
  given.abort()
  await assert.rejects(probe, { name: 'TemporaryFailure', message: 'a: The attempt was aborted before a response' })
  assert.equal(chain.openCircuits, 1)
  answers['a'] = yes
  assert.equal(await send(), 'a')
  assert.equal(chain.openCircuits, 0)
})

test('opens the circuit for ten seconds after twenty parallel failures', async () => {
  const { asked, clock, send } = chainOf({ a: later })
  await Promise.allSettled(Array.from({ length: 20 }, send))
  assert.equal(asked.length, 20)
  clock.advance(10_000)
  await assert.rejects(send())
  assert.equal(asked.length, 21)
})

test('reports that no sender is set up for an empty chain', async () => {
  await assert.rejects(chainOf({}).send(), { message: 'no sender is set up' })
})
