import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { IncomingMessage } from 'node:http'
import type { TestService } from '../service.ts'
import { until } from '../until.ts'
import { bytesOf, exchange, type WireAnswer, type WireRequest } from './wire.ts'

export interface LateRequest extends Omit<WireRequest, 'body'> {
  /** Sent as JSON, lines as they are. */
  readonly body: object | string
}

/** Sends a request whose last byte leaves once `meanwhile` is done, which begins when the headers have been checked. */
export async function sendLate(
  { service, baseUrl }: TestService,
  { method = 'POST', headers = [], body: given, ...rest }: LateRequest,
  meanwhile: () => unknown,
): Promise<WireAnswer> {
  const body = typeof given === 'string' ? given : JSON.stringify(given)
  const type = typeof given === 'string' ? 'application/x-ndjson' : 'application/json'
  const bytes = bytesOf({ ...rest, method, headers: [...headers, ['content-type', type]], body })
  async function* pieces() {
    const arrival = once(service.http.server, 'request')
    yield bytes.subarray(0, -1)
    const [request] = (await arrival) as [IncomingMessage]
    // The body is read from then on.
    await until(() => request.readableFlowing !== null)
    await meanwhile()
    yield bytes.subarray(-1)
  }
  const { answers } = await exchange(baseUrl, pieces())
  assert.equal(answers.length, 1)
  return answers[0]!
}
