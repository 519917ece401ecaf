import assert from 'node:assert/strict'
import type { ManagedRateLimiter } from '../../server/limits/rate-limiter.ts'
import { createValkeyRateLimiter } from '../../server/limits/valkey-rate-limiter.ts'
import type { ValkeyAddress } from '../../server/limits/valkey-url.ts'
import { send } from './http/wire.ts'
import { recordedLog } from './recorded-log.ts'
import { startTestService, type TestService, type TestServiceOptions } from './service.ts'

/** Resends per hour and client. */
export const quota = 10
/** Longer than in production: on a busy machine, the process of the tests reads an answer late. */
const answerMs = 1_000
export const limitsText = `all=off,resend=${quota}/h`

/** One of several services that share their limits. */
export const startNode = (limiter: ManagedRateLimiter, options: TestServiceOptions = {}): Promise<TestService> =>
  startTestService({ limitsText, trustedProxies: '127.0.0.0/8', limiter, ...options })

/** A service that shares limits through Valkey, and the log of its limiter. */
export interface ValkeyNode {
  readonly service: TestService
  readonly limiterLog: string[]
}

export async function startValkeyNode(address: ValkeyAddress): Promise<ValkeyNode> {
  const { logger, log: limiterLog } = recordedLog()
  return { service: await startNode(await createValkeyRateLimiter(address, { logger, answerMs })), limiterLog }
}

/** The address of a service. */
type Addressed = Pick<TestService, 'baseUrl'>

/** Sends one limited request for a client. It has no key, so an admitted request is answered 401. */
export async function ask({ baseUrl }: Addressed, client: string): Promise<number> {
  const headers = [['x-forwarded-for', client]] as const
  return (await send(baseUrl, { method: 'POST', path: '/otp/resend', headers })).status
}

let clients = 0

/** A client without any counted request. */
export const freshClient = () => `10.9.${clients >> 8}.${clients++ & 255}`

/** Sends concurrent requests to the services in turn; returns how many are admitted. */
export async function admittedOf(services: readonly Addressed[], client: string, requests: number): Promise<number> {
  const asked = Array.from({ length: requests }, (_, i) => ask(services[i % services.length]!, client))
  const statuses = await Promise.all(asked)
  for (const status of statuses) assert.ok(status === 401 || status === 429, `${status}`)
  return statuses.filter((status) => status === 401).length
}
