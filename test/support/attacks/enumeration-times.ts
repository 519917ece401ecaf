import type { Socket } from 'node:net'
import { bytesOf, dial } from '../http/wire.ts'
import { AnswerReader, type WireAnswer } from '../http/wire-answer.ts'
import type { EnumerationFixture } from './enumeration-fixture.ts'
import { type Comparison, comparePairs, type Pair } from './two-sample.ts'

/** OTP settings that allow many measurements with one OTP. */
export const measuredOtp = { resendIntervalSeconds: 0, maxResends: 20, maxVerifyAttempts: 10 }

const scope = 'reset_password'

/** A request that an attacker can time. */
interface Measurement {
  /** Untimed requests before the timed one, which gets the last answer. */
  readonly before?: (email: string) => Request
  /** How often an answer of `before` is used. */
  readonly uses?: number
  /** Whether the timed request follows at once, while the service still works on the previous one. */
  readonly atOnce?: boolean
  /** Whether a message is sent for a real address and not for a decoy. */
  readonly sends?: boolean
  readonly timed: (email: string, id: string) => Request
}
type Request = readonly [line: string, body: object]

const challenge = (email: string): Request => ['POST /auth/reset-password', { step: 'challenge', email }]
const status = (id: string): Request => ['POST /otp/status', { id, scope }]
const resend = (id: string): Request => ['POST /otp/resend', { id, scope }]
const password = 'battery staple'

/** Every operation that takes an address or its OTP, and a request right after one that sends a message. */
const measurements = {
  challenge: { sends: true, timed: challenge },
  'status after challenge': { before: challenge, atOnce: true, sends: true, timed: (_email, id) => status(id) },
  resend: { before: challenge, uses: 20, sends: true, timed: (_email, id) => resend(id) },
  status: { before: challenge, uses: 100, timed: (_email, id) => status(id) },
  'wrong code': {
    ...{ before: challenge, uses: 9 },
    timed: (_email, id) => ['POST /otp/verify', { id, scope, code: 'wrong' }],
  },
  'confirm without verify': {
    ...{ before: challenge, uses: 100 },
    timed: (_email, id) => ['POST /auth/reset-password', { step: 'confirm', token: id, password }],
  },
  'issue otp_signin': { timed: (email) => ['POST /otp', { scope: 'otp_signin', email }] },
  'sign in, wrong password': { timed: (email) => ['POST /auth/sign-in', { method: 'password', email, password }] },
  'sign up without token': { timed: (email) => ['POST /auth/sign-up', { method: 'password', email, password }] },
} satisfies Record<string, Measurement>

export type MeasurementName = keyof typeof measurements
export const measurementNames = Object.keys(measurements) as MeasurementName[]

/** The size of a measurement. */
export interface Sample {
  /** Number of pairs. */
  readonly count: number
  /** Odd and even seeds start with different sides. */
  readonly seed: number
  /** Messages sent between timed requests that send; 3 unless given. Fewer leave some microseconds of bias. */
  readonly neutral?: number
  /** Called after each pair with the number of pairs so far. */
  readonly watch?: (pairs: number) => void
}

const warmUpPairs = 10

/**
 * Times pairs of requests, one for a real and one for a decoy address: real, decoy, decoy, real. Between requests the service
 * is idle, so that work for one address is not measured in the other's request.
 * @returns the comparison of the real addresses' times with those of the decoys, in milliseconds
 */
export async function measure(
  fixture: EnumerationFixture,
  name: MeasurementName,
  { count, seed, neutral = 3, watch }: Sample,
): Promise<Comparison> {
  const { real, decoys, tenant, service } = fixture
  const { before, uses = 1, atOnce = false, sends = false, timed }: Measurement = measurements[name]
  const connection = new TimedConnection(service.baseUrl, tenant.key)
  const ids = { real: '', decoy: '' }
  const pairs: Pair[] = []

  const rest = async () => {
    const { delivery } = service.service.services
    await delivery.drain()
    // Messages precede every timed request, whatever was sent before.
    for (let each = 0; sends && each < neutral; each++) {
      await connection.ask('POST /otp', { scope: 'otp_signin', email: 'neutral@example.com' })
      await delivery.drain()
    }
    // The idle time depends on what was sent. Neutral requests bring caches and clocks back to one state.
    for (let each = 0; each < 2; each++) await connection.ask('GET /healthz')
  }
  const timeOf = async (side: 'real' | 'decoy', pair: number) => {
    const email = (side === 'real' ? real : decoys)[pair % real.length]!
    if (before !== undefined && pair % uses === 0) {
      if (atOnce) await rest()
      ids[side] = idOf((await connection.ask(...before(email))).answer)
    }
    if (!atOnce) await rest()
    fixture.onTimed?.(side)
    return (await connection.ask(...timed(email, ids[side]))).ms
  }

  for (let pair = 0; pair < warmUpPairs + count; pair++) {
    // Counterbalanced: each side follows each side, and comes first, equally often. In random order it would mostly
    // follow the other side, whose leftovers (sockets, garbage) would be measured as its own.
    const realFirst = (pair + seed) % 2 === 0
    const first = await timeOf(realFirst ? 'real' : 'decoy', pair)
    const second = await timeOf(realFirst ? 'decoy' : 'real', pair)
    if (pair < warmUpPairs) continue
    pairs.push(realFirst ? [first, second] : [second, first])
    watch?.(pairs.length)
  }
  connection.close()
  return comparePairs(pairs)
}

const idOf = (answer: WireAnswer) => (answer.json() as { data: { id: string } }).data.id

/** One keep-alive connection; a request's time ends with the arrival of its answer. */
class TimedConnection {
  readonly #socket: Socket
  readonly #key: string

  constructor(baseUrl: string, key: string) {
    this.#socket = dial(baseUrl)
    this.#key = key
  }

  async ask(line: string, body?: object): Promise<{ answer: WireAnswer; ms: number }> {
    const [method = '', path = ''] = line.split(' ')
    const headers = [
      ['content-type', 'application/json'],
      ['x-tenant-key', this.#key],
    ] as const
    const bytes = bytesOf({ method, path, headers, ...(body && { body: JSON.stringify(body) }) })
    const reader = new AnswerReader()
    const { promise, resolve, reject } = Promise.withResolvers<number>()
    const read = (chunk: Buffer) => {
      const arrived = performance.now()
      reader.feed(chunk)
      if (reader.answers.length > 0) resolve(arrived)
    }
    this.#socket.on('data', read).once('close', reject)
    const begun = performance.now()
    this.#socket.write(bytes)
    const arrived = await promise
    this.#socket.off('data', read).off('close', reject)
    return { answer: reader.answers[0]!, ms: arrived - begun }
  }

  close(): void {
    this.#socket.destroy()
  }
}
