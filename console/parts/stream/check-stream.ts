import { isFailure } from '../../../packages/client/src/answer.ts'
import { TenantryConnectionError, TenantryError } from '../../../packages/client/src/errors.ts'

/** Opens a stream and closes it. Rejects with the refusal of the service, which an `EventSource` does not tell. */
export async function checkStream(url: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(url, { headers: { accept: 'text/event-stream' }, signal }).catch((cause: unknown) => {
    throw new TenantryConnectionError('No answer to the request for a stream', { cause })
  })
  if (response.ok) return response.body?.cancel()
  const body: unknown = await response.json().catch(() => null)
  // A proxy answers otherwise, while it waits for the service.
  if (!isFailure(body)) throw new TenantryConnectionError(`The stream was refused with ${response.status}`)
  throw new TenantryError(body, response.status, response.headers)
}
