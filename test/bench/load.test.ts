import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { drive, requestBytes } from '../../bench/load.ts'

test('sends a request on every connection, however short the time', async (t) => {
  const server = createServer((_request, response) => response.writeHead(200, { 'content-length': 0 }).end())
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const next = () => requestBytes('GET', '/', {})
  const { requests, p50 } = await drive({ port, connections: 3, seconds: 0, expectedStatus: 200, next })
  assert.equal(requests, 3)
  assert.ok(p50 > 0)
})

test('ends at the first unexpected answer, with its body', async (t) => {
  const body = 'too many requests'
  let requests = 0
  const server = createServer((_request, response) => {
    requests++
    response.writeHead(requests > 3 ? 429 : 200, { 'content-length': body.length }).end(body)
  })
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const next = () => requestBytes('GET', '/tenant-configuration', {})
  await assert.rejects(drive({ port, connections: 1, seconds: 60, expectedStatus: 200, next }), {
    message: 'GET /tenant-configuration: 429 instead of 200: too many requests',
  })
  assert.equal(requests, 4)
})

test('fails when the server closes a connection instead of answering', async (t) => {
  const server = createServer((request) => request.socket.end())
  t.after(() => server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const next = () => requestBytes('GET', '/tenant-configuration', {})
  await assert.rejects(drive({ port, connections: 1, seconds: 60, expectedStatus: 200, next }), {
    message: 'GET /tenant-configuration: the server closed the connection',
  })
})
