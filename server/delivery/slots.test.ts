import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../../test/support/manual-clock.ts'
import { renderedEmail } from '../../test/support/peers/rendered-message.ts'
import { talking } from '../../test/support/peers/smtp-talk.ts'
import { ProviderChain } from './provider-chain.ts'
import { Slots } from './slots.ts'

const long = 60_000

test('gives slots in the order in which they are asked for', async () => {
  const slots = new Slots(1)
  const order: string[] = []
  assert.ok(slots.take())
  assert.equal(slots.take(), false)
  const others = ['a', 'b', 'c'].map(async (name) => {
    assert.ok(await slots.wait(long))
    order.push(name)
    slots.giveBack()
  })
  assert.deepEqual(order, [])
  slots.giveBack()
  await Promise.all(others)
  assert.deepEqual(order, ['a', 'b', 'c'])
  assert.ok(slots.take())
})

test('ends a wait after its time, or with the signal, and keeps no slot for it', async () => {
  const slots = new Slots(1)
  const ends = new AbortController()
  slots.take()
  const aborted = slots.wait(long, ends.signal)
  assert.equal(await slots.wait(1), false)
  ends.abort()
  assert.equal(await aborted, false)
  assert.equal(await slots.wait(long, ends.signal), false)
  slots.giveBack()
  assert.ok(slots.take())
})

test('sends no message that waited too long for a connection, and blames the provider for none', async () => {
  await using mail = await talking({ hangAt: 'data' }, { connections: 1 })
  const chain = new ProviderChain([mail.provider], manualClock(1_000), 400)
  const sent = assert.rejects(chain.send(renderedEmail()), { message: /did not accept the message/ })
  const failure = { message: 'smtp: all its connections are busy with other messages' }
  await Promise.all(Array.from({ length: 6 }, () => assert.rejects(chain.send(renderedEmail()), failure)))
  assert.equal(chain.openCircuits, 0)
  await sent
  assert.equal(mail.peer.connections(), 1)
})
