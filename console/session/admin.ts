import { createTenantryAdmin, type TenantryAdmin } from '../../packages/client/src/admin.ts'
import { learnServerTime } from '../parts/times/server-time.ts'
import { untilSignedIn } from './ended-session.ts'

const timeoutMs = 30_000

/** Adds the cookie of the console, and the header that a foreign page cannot send; the client's requests name no credentials. */
export async function send(input: RequestInfo | URL, init: RequestInit = {}, isLong = false): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('x-tenantry-console', '1')
  const signals = [init.signal, isLong ? null : AbortSignal.timeout(timeoutMs)].filter((signal) => signal != null)
  const response = await fetch(input, {
    ...init,
    headers,
    credentials: 'same-origin',
    signal: AbortSignal.any(signals),
  })
  learnServerTime(response)
  return response
}

/** `fetch` for the API. When the session has ended, a request waits for the operator to sign in again and then goes on. */
const consoleFetch =
  (isLong: boolean): typeof fetch =>
  async (input, init) => {
    const response = await send(input, init, isLong)
    if (response.status !== 401) return response
    const again = await untilSignedIn(init?.signal)
    // A stream is read once.
    const isRepeatable = !(init?.body instanceof ReadableStream)
    return again && isRepeatable ? send(input, init, isLong) : response
  }

/** `send` has the timeout, because a request may wait for an operator. */
const clientOf = (isLong: boolean): TenantryAdmin =>
  createTenantryAdmin({ baseUrl: location.origin, fetch: consoleFetch(isLong), timeoutMs: 0 })

/** The operator's client of the service that this page is from. */
export const admin: TenantryAdmin = clientOf(false)

/** For operations that read every profile, a whole log or the lines of a file, and take as long as they take. */
export const patientAdmin: TenantryAdmin = clientOf(true)
