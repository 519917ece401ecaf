import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pino } from 'pino'
import { noValkey, startValkey } from '../../test/support/databases/valkey-server.ts'
import { createValkeyRateLimiter } from './valkey-rate-limiter.ts'

for (const [mode, problem] of [
  [
    'cluster',
    /^VALKEY_URL: the server runs in cluster mode, which is not supported; use a server outside a cluster, or/,
  ],
  ['sentinel', /^VALKEY_URL: the server is a Sentinel, which is not supported; use an address of the primary that/],
] as const) {
  test(`rejects a server in ${mode} mode at startup`, { skip: noValkey }, async () => {
    await using valkey = await startValkey({ mode })
    const opening = createValkeyRateLimiter(valkey.address, { logger: pino({ level: 'silent' }) })
    await assert.rejects(opening, (error: Error) => problem.test(error.message))
  })
}

test('accepts a user without permission for INFO', { skip: noValkey }, async () => {
  await using valkey = await startValkey({ password: 'secret' })
  await valkey.client.call('ACL', 'SETUSER', 'limits', 'on', '>secret', '~*', '+@all', '-info')
  const address = { ...valkey.address, username: 'limits' }
  const limiter = await createValkeyRateLimiter(address, { logger: pino({ level: 'silent' }) })
  await limiter.close()
})
