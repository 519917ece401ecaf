import assert from 'node:assert/strict'
import { pino } from 'pino'
import type { ManagedRateLimiter } from '../../server/limits/rate-limiter.ts'
import { createValkeyRateLimiter } from '../../server/limits/valkey-rate-limiter.ts'
import type { ValkeyAddress } from '../../server/limits/valkey-url.ts'
import { startTestService, type TestService, type TestServiceOptions } from './service.ts'
import { send } from './wire.ts'

/** Resends an hour and client. */
export const quota = 10
/** Longer than the real one: on a busy machine Valkey is slow without being at fault. */
const answerMs = 500
export const limitsText = `all=off,resend=${quota}/h`

/** One service of several that share their limits. */
export const startNode = (limiter: ManagedRateLimiter, options: TestServiceOptions = {}): Promise<TestService> =>
  startTestService({ limitsText, trustedProxies: '127.0.0.0/8', limiter, ...options })

/** One that shares them through Valkey, and what its limiter logged. */
export interface ValkeyNode {
  readonly service: TestService
  readonly limiterLog: string[]
}

export async function startValkeyNode(address: ValkeyAddress): Promise<ValkeyNode> {
  const limiterLog: string[] = []
  const logger = pino({}, { write: (line: string) => void limiterLog.push(line) })
  return { service: await startNode(await createValkeyRateLimiter(address, { logger, answerMs })), limiterLog }
}

/** Where a service is. */
export type Addressed = Pick<TestService, 'baseUrl'>

/** One limited request for a client; it carries no key, so what is admitted is answered 401. */
export async function ask({ baseUrl }: Addressed, client: string): Promise<number> {
  const headers = [['x-forwarded-for', client]] as const
  return (await send(baseUrl, { method: 'POST', path: '/otp/resend', headers })).status
}

let clients = 0

/** A client that nobody has counted yet. */
export const freshClient = () => `10.9.${clients >> 8}.${clients++ & 255}`

/** How many of so many requests at once, to the services in turn, are admitted. */
export async function admittedOf(services: readonly Addressed[], client: string, requests: number): Promise<number> {
  const asked = Array.from({ length: requests }, (_, i) => ask(services[i % services.length]!, client))
  const statuses = await Promise.all(asked)
  for (const status of statuses) assert.ok(status === 401 || status === 429, `${status}`)
  return statuses.filter((status) => status === 401).length
}
