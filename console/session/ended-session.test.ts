import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { endWaiting, isSessionEnded, onSessionEnded, untilSignedIn } from './ended-session.ts'

afterEach(() => endWaiting(false))

test('requests wait until the operator has signed in again', async () => {
  const states: boolean[] = []
  const stop = onSessionEnded(() => states.push(isSessionEnded()))
  const both = [untilSignedIn(), untilSignedIn(new AbortController().signal)]
  endWaiting(true)
  assert.deepEqual(await Promise.all(both), [true, true])
  assert.deepEqual(states, [true, false])
  stop()
})

test('requests fail when the operator leaves instead', async () => {
  const request = untilSignedIn()
  endWaiting(false)
  assert.equal(await request, false)
})

test('a request that is no longer wanted does not wait', async () => {
  const controller = new AbortController()
  const request = untilSignedIn(controller.signal)
  controller.abort(new Error('left'))
  await assert.rejects(request, /left/)
  assert.equal(isSessionEnded(), true)
})
