import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { pino } from 'pino'
import { noValkey, startValkey, type ValkeyServer } from '../../test/valkey-server.ts'
import type { KeptRateLimiter } from './rate-limiter.ts'
import { limiterSuite } from './suite/limiter-suite.ts'
import { createValkeyRateLimiter } from './valkey-rate-limiter.ts'

let server: ValkeyServer
let limiters: [KeptRateLimiter, KeptRateLimiter]
const log: string[] = []
const open = () => createValkeyRateLimiter(server.address, pino({}, { write: (line: string) => void log.push(line) }))

before(async () => {
  if (noValkey) return
  server = await startValkey()
  limiters = [await open(), await open()]
})
after(async () => {
  for (const limiter of limiters ?? []) await limiter.close()
  await server?.close()
})

limiterSuite({ name: 'Valkey', skip: noValkey, limiters: () => limiters, modelRuns: 40 })

test('an answer that came while this process was busy is no outage', { skip: noValkey }, async () => {
  const take = () => limiters[0].take('resend', 'busy', { quota: 10, windowSeconds: 60 }, 0)
  await take()
  const taken = take()
  for (const end = performance.now() + 300; performance.now() < end; );
  assert.deepEqual(await taken, { admitted: true, remaining: 8, resetSeconds: 60 })
  assert.deepEqual(log, [])
})
