import assert from 'node:assert/strict'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { listenOnLoopback } from '../../../test/support/loopback.ts'
import { neverAborted } from '../../../test/support/peers/rendered-message.ts'
import { createOutboundHttp } from './outbound-http.ts'

/** A peer that answers with a text, and then repeats another for as long as it is read. */
async function startFlood(answer: string, repeated: string) {
  const block = Buffer.from(repeated.repeat(Math.ceil(65_536 / repeated.length)))
  const server = createServer((socket) => {
    const flood = () => {
      while (!socket.destroyed && socket.write(block));
    }
    socket.on('error', () => {}).on('drain', flood)
    socket.once('data', () => {
      socket.write(answer)
      flood()
    })
  })
  return { url: `http://127.0.0.1:${await listenOnLoopback(server)}`, close: () => server.close() }
}

test('reads informational responses and chunk extensions without end only for a moment', async () => {
  const http = createOutboundHttp({ allowPrivate: true })
  const hinting = await startFlood('', 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n')
  await assert.rejects(http.post(hinting.url, { headers: {}, body: 'code' }, neverAborted), {
    name: 'TemporaryFailure',
    message: '127.0.0.1 sent too much before an answer',
  })
  hinting.close()
  const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
  const chunked = await startFlood(head, `1;${'x'.repeat(8000)}\r\na\r\n`)
  const { status, text } = await http.post(chunked.url, { headers: {}, body: 'code' }, neverAborted)
  assert.equal(status, 200)
  assert.ok(text.length < 1_000)
  chunked.close()
})
