import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { test } from 'node:test'
import { listenOnLoopback } from '../../../test/support/loopback.ts'
import { suspend } from '../../../test/support/suspend.ts'
import { withDeadline } from './deadline.ts'

test('takes an answer that arrived while this process was suspended, and none that did not', async (t) => {
  const server = createServer()
  const port = await listenOnLoopback(server)
  const accepted = once(server, 'connection') as Promise<[Socket]>
  // Paused, so that what arrives stays with the system until the process asks.
  const client = connect(port, '127.0.0.1').pause()
  await once(client, 'connect')
  const [peer] = await accepted
  t.after(() => {
    client.destroy()
    peer.destroy()
    server.close()
  })
  /** Waits for data, and suspends this process beyond the deadline. */
  const ask = () =>
    withDeadline(null, 50, 'no answer in time', (ends) => {
      const { promise, resolve, reject } = Promise.withResolvers<string>()
      client.once('data', (data) => resolve(String(data))).resume()
      ends.addEventListener('abort', () => reject(ends.reason))
      suspend(100)
      return promise
    })

  await new Promise<void>((resolve) => peer.write('accepted', () => resolve()))
  assert.equal(await ask(), 'accepted')
  await assert.rejects(ask(), { name: 'TemporaryFailure', message: 'no answer in time' })
})
