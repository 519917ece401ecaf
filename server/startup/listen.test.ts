import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { test } from 'node:test'
import fastify from 'fastify'
import { listen } from './listen.ts'

const hasIpv6 = (networkInterfaces()['lo'] ?? []).some(({ family }) => family === 'IPv6')

for (const [host, shown, missing] of [
  ['0.0.0.0', 'http://127.0.0.1:', false],
  ['::', 'http://[::1]:', !hasIpv6 && 'this machine has no IPv6'],
  ['::1', 'http://[::1]:', !hasIpv6 && 'this machine has no IPv6'],
] as const) {
  test(`a server on ${host} is opened at ${shown}`, { skip: missing }, async () => {
    const app = fastify()
    try {
      const url = await listen(app, { host, port: 0 })
      assert.ok(url.startsWith(shown), url)
      assert.equal((await fetch(url)).status, 404)
    } finally {
      await app.close()
    }
  })
}

test('names the host on which no server can listen', { skip: !hasIpv6 && 'this machine has no IPv6' }, async () => {
  await using app = fastify()
  // Link-local, without its interface.
  await assert.rejects(listen(app, { host: 'fe80::1', port: 0 }), {
    message: 'HOST: a server cannot listen on fe80::1; use 127.0.0.1, or 0.0.0.0 for all addresses of this machine',
  })
})
