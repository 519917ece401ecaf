import { createTenantryAdmin, type TenantryAdmin } from '../../packages/client/src/admin.ts'
import { linesType } from '../../packages/client/src/lines-source.ts'
import { untilSignedIn } from './ended-session.ts'

const timeoutMs = 30_000

/** Adds the cookie of the console, and the header that a foreign page cannot send; the client's requests name no credentials. */
function send(input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('x-tenantry-console', '1')
  // Lines take as long as they take, and so does verifying a log: 10 seconds for each million events.
  const isLong = headers.get('content-type') === linesType || String(input).endsWith('/events/verify')
  const signals = [init.signal, isLong ? null : AbortSignal.timeout(timeoutMs)].filter((signal) => signal != null)
  return fetch(input, { ...init, headers, credentials: 'same-origin', signal: AbortSignal.any(signals) })
}

/** `fetch` for the API. When the session has ended, a request waits for the operator to sign in again and then goes on. */
export const consoleFetch: typeof fetch = async (input, init) => {
  const response = await send(input, init)
  if (response.status !== 401) return response
  const again = await untilSignedIn(init?.signal)
  // A stream is read once.
  const isRepeatable = !(init?.body instanceof ReadableStream)
  return again && isRepeatable ? send(input, init) : response
}

/**
 * The operator's client of the service that this page is from. `send` has the timeout, because a request may wait for an
 * operator.
 */
export const admin: TenantryAdmin = createTenantryAdmin({
  baseUrl: location.origin,
  fetch: consoleFetch,
  timeoutMs: 0,
})
