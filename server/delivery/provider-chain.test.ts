import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { manualClock } from '../../test/support/manual-clock.ts'
import { canaryCode, renderedEmail } from '../../test/support/peers/rendered-message.ts'
import { suspend } from '../../test/support/suspend.ts'
import { PermanentFailure, type Provider, TemporaryFailure } from './provider.ts'
import { ProviderChain } from './provider-chain.ts'

type Answer = (signal: AbortSignal) => Promise<void>

const yes: Answer = async () => {}
const no: Answer = () => Promise.reject(new PermanentFailure('550 no such user'))
const later: Answer = () => Promise.reject(new TemporaryFailure('421 busy'))
const greylisted: Answer = () =>
  Promise.reject(new TemporaryFailure('450 greylisted, try later', { concerns: 'message' }))
const wait =
  (seconds: number): Answer =>
  () =>
    Promise.reject(new TemporaryFailure('429 slow down', { retryAfterSeconds: seconds }))
/** As providers do: until the signal says that it was enough. */
const hang: Answer = (signal) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(new TemporaryFailure('did not answer in time')))
  })

/** A chain over providers that answer so, one a name, and the names of those that were asked. */
function chainOf(answers: Record<string, Answer>, ms?: number, connections?: number) {
  const asked: string[] = []
  const clock = manualClock(1_000)
  const providers = Object.keys(answers).map(
    (name): Provider => ({
      name,
      method: 'email',
      ...(connections !== undefined && { connections }),
      send(_message, signal) {
        asked.push(name)
        return answers[name]!(signal)
      },
      async close() {},
    }),
  )
  const chain = new ProviderChain(providers, clock, ms)
  return { asked, clock, chain, send: () => chain.send(renderedEmail()) }
}

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

test('reports an open circuit with its last error while a probe is running', async () => {
  const answers: Record<string, Answer> = { a: later }
  const { clock, send } = chainOf(answers)
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

test('opens no circuit when this process was suspended during the attempts', async () => {
  const { asked, chain, send } = chainOf({ a: hang, b: hang }, 100)
  const sends = Promise.allSettled(Array.from({ length: 5 }, send))
  suspend(1_200)
  for (const { reason } of (await sends) as PromiseRejectedResult[])
    assert.match(reason.message, /^a: did not accept the message within 1 s; b: was not tried$/)
  assert.equal(chain.openCircuits, 0)
  assert.deepEqual(asked, ['a', 'a', 'a', 'a', 'a'])
})

test('tries no message that this process was suspended with while it waited for a connection', async () => {
  const answers: Record<string, Answer> = { a: () => pause(1) }
  const { asked, chain, send } = chainOf(answers, 100, 5)
  const sends = Promise.all(Array.from({ length: 5 }, send))
  answers['a'] = hang
  const failure = { message: 'a: all its connections are busy with other messages' }
  const waiting = Promise.all(Array.from({ length: 5 }, () => assert.rejects(send(), failure)))
  suspend(200)
  await Promise.all([sends, waiting])
  assert.equal(chain.openCircuits, 0)
  assert.equal(asked.length, 5)
})

test('gives the last of five providers its time when the others hang, within the limit of an attempt', async () => {
  const { asked, send } = chainOf({ a: hang, b: hang, c: hang, d: hang, e: yes }, 3_000)
  const begun = performance.now()
  assert.equal(await send(), 'e')
  assert.ok(performance.now() - begun < 3_000)
  assert.deepEqual(asked, ['a', 'b', 'c', 'd', 'e'])
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

test('reports that no sender is set up for an empty chain', async () => {
  await assert.rejects(chainOf({}).send(), { message: 'no sender is set up' })
})
