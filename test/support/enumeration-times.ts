import type { Socket } from 'node:net'
import type { EnumerationFixture } from './enumeration-fixture.ts'
import { type Comparison, comparePairs, type Pair } from './two-sample.ts'
import { bytesOf, dial } from './wire.ts'
import { AnswerReader, type WireAnswer } from './wire-answer.ts'

/** OTP settings under which one OTP serves for many measurements. */
export const measuredOtp = { resendIntervalSeconds: 0, maxResends: 20, maxVerifyAttempts: 10 }

const scope = 'reset_password'

/** What an attacker may time. */
interface Measurement {
  /** Requests before the timed one, untimed; the last one's answer is handed to `timed`. */
  readonly before?: (email: string) => Request
  /** How many times an answer of `before` serves. */
  readonly uses?: number
  /** Whether the timed request follows at once, while the service still works on the one before. */
  readonly atOnce?: boolean
  /** Whether more goes out for a real address than for a decoy. */
  readonly sends?: boolean
  readonly timed: (email: string, id: string) => Request
}
type Request = readonly [line: string, body: object]

const challenge = (email: string): Request => ['POST /auth/reset-password', { step: 'challenge', email }]
const status = (id: string): Request => ['POST /otp/status', { id, scope }]
const resend = (id: string): Request => ['POST /otp/resend', { id, scope }]
const password = 'battery staple'

/** Every operation that takes an address or an OTP of an address; and a request right after one that sends. */
export const measurements = {
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

/** How much is measured. */
export interface Sample {
  /** Pairs. */
  readonly count: number
  /** Odd and even ones begin with the other side. */
  readonly seed: number
  /** Messages sent between timed requests, where these send; 3 unless given. Fewer leave some microseconds of bias. */
  readonly neutral?: number
}

const warmUpPairs = 10

/**
 * Times pairs of requests, one for a real and one for a decoy address: real, decoy, decoy, real. Between requests the service
 * comes to rest, so that work for one address is not measured in the other's request.
 * @returns the comparison of the real addresses' times with those of the decoys, in milliseconds
 */
export async function measure(
  fixture: EnumerationFixture,
  name: MeasurementName,
  { count, seed, neutral = 3 }: Sample,
): Promise<Comparison> {
  const { real, decoys, tenant, service } = fixture
  const { before, uses = 1, atOnce = false, sends = false, timed }: Measurement = measurements[name]
  const connection = new TimedConnection(service.baseUrl, tenant.key)
  const ids = { real: '', decoy: '' }
  const pairs: Pair[] = []

  const rest = async () => {
    const { delivery } = service.service.services
    await delivery.drain()
    // Whatever was sent before, every timed request follows messages that went out.
    for (let each = 0; sends && each < neutral; each++) {
      await connection.ask('POST /otp', { scope: 'otp_signin', email: 'neutral@example.com' })
      await delivery.drain()
    }
    // The idle time differs by what was sent: requests of no interest bring caches and clocks back to one state.
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
    // follow the other one, and what that leaves behind (sockets, garbage) would be measured as its own.
    const realFirst = (pair + seed) % 2 === 0
    const first = await timeOf(realFirst ? 'real' : 'decoy', pair)
    const second = await timeOf(realFirst ? 'decoy' : 'real', pair)
    if (pair >= warmUpPairs) pairs.push(realFirst ? [first, second] : [second, first])
  }
  connection.close()
  return comparePairs(pairs)
}

const idOf = (answer: WireAnswer) => (answer.json() as { data: { id: string } }).data.id

/** One connection, kept alive; a request's time ends with the arrival of its answer. */
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
