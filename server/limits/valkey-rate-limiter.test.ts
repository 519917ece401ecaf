import { after, before } from 'node:test'
import { pino } from 'pino'
import { noValkey, startValkey, type ValkeyServer } from '../../test/valkey-server.ts'
import type { KeptRateLimiter } from './rate-limiter.ts'
import { limiterSuite } from './suite/limiter-suite.ts'
import { createValkeyRateLimiter } from './valkey-rate-limiter.ts'

let server: ValkeyServer
let limiters: [KeptRateLimiter, KeptRateLimiter]
const open = () => createValkeyRateLimiter(server.address, pino({ level: 'silent' }))

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
