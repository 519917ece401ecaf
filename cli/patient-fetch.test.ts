import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { mock, test } from 'node:test'
import { startTestService } from '../test/support/service.ts'
import { patientFetch } from './patient-fetch.ts'
import { type } from './terminal/terminal.testkit.ts'

/** What a server answers to a call. */
async function answered(listener: RequestListener): Promise<Response> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path?query=1`)
  try {
    return await patientFetch(url, { method: 'POST', headers: { 'x-one': '1' }, body: '{"ä":1}' })
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

test('a verification and a schema check do not end with the timeout of fetch', async () => {
  await using service = await startTestService()
  const { tenantId } = await service.addTenant()
  const env = { TENANTRY_URL: service.baseUrl, TENANTRY_ADMIN_KEY: service.adminKey, TENANTRY_TENANT: tenantId }
  const late = mock.method(globalThis, 'fetch', () => Promise.reject(new TypeError('UND_ERR_HEADERS_TIMEOUT')))
  try {
    for (const words of [
      ['events', 'verify'],
      ['schema', 'check', '-'],
    ]) {
      const { exitCode, errors } = await type(words, { env, input: '{"components":[]}' })
      assert.equal(exitCode, 0, errors)
    }
  } finally {
    late.mock.restore()
  }
})

test('sends a call and reads its answer', async () => {
  const answer = await answered(async (request, response) => {
    const sent = [request.method, request.url, request.headers['x-one'], await text(request)]
    response.writeHead(422, 'Refused', { etag: '"1"', 'x-two': ['a', 'b'] }).end(JSON.stringify(sent))
  })
  assert.deepEqual([answer.status, answer.statusText, answer.ok], [422, 'Refused', false])
  assert.deepEqual([answer.headers.get('etag'), answer.headers.get('x-two')], ['"1"', 'a, b'])
  assert.deepEqual(await answer.json(), ['POST', '/path?query=1', '1', '{"ä":1}'])
})

test('fails as fetch does when there is no server, or its answer breaks off', async () => {
  const codeOf = (code: string) => (error: Error) =>
    error instanceof TypeError && (error.cause as { code?: string }).code === code
  await assert.rejects(patientFetch(new URL('http://127.0.0.1:1')), codeOf('ECONNREFUSED'))
  const breakingOff: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-length': 10 })
    response.write('half', () => response.destroy())
  }
  await assert.rejects(answered(breakingOff), codeOf('ECONNRESET'))
  const resetting: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-length': 10 })
    response.write('half', () => response.socket?.resetAndDestroy())
  }
  await assert.rejects(answered(resetting), codeOf('ECONNRESET'))
  const invalid: RequestListener = (_, { socket }) =>
    void socket?.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', () => socket.write('not a size\r\n'))
  await assert.rejects(answered(invalid), TypeError)
  const upgrading: RequestListener = (_, { socket }) =>
    void socket?.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')
  await assert.rejects(answered(upgrading), TypeError)
})

test('gives answers without a body as fetch does', async () => {
  for (const status of [204, 205, 304]) {
    const answer = await answered((_, response) => response.writeHead(status, { 'content-length': 0 }).end())
    assert.deepEqual([answer.status, await answer.text()], [status, ''])
  }
})
