import assert from 'node:assert/strict'
import { once } from 'node:events'
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { clientGone } from './client-gone.ts'

test('aborts when the connection closes, by one signal for all requests of the connection', async () => {
  const socket = new Socket()
  const [one, other] = [clientGone(new IncomingMessage(socket)), clientGone(new IncomingMessage(socket))]
  assert.equal(one, other)
  assert.equal(one.aborted, false)
  socket.destroy()
  await once(socket, 'close')
  assert.equal(one.aborted, true)
})

test('has aborted when the connection was closed before', () => {
  const socket = new Socket().destroy()
  assert.equal(clientGone(new IncomingMessage(socket)).aborted, true)
})
