import type { GrantedScope } from '../../contract/scopes.ts'
import { TenantryConnectionError, TenantryError } from '../../packages/client/src/errors.ts'
import type { Failure } from '../../packages/client/src/failure.ts'

/** Who is signed in. */
export interface SignedInOperator {
  readonly id: string
  readonly name: string
  readonly scopes: readonly GrantedScope[]
  /** null: all tenants and the deployment. */
  readonly tenantIds: readonly string[] | null
}

export interface ConsoleSession {
  readonly operator: SignedInOperator | null
  readonly expiresAt: string | null
}

/** Who is signed in to this browser; both members are null without a session. */
export const readSession = (signal?: AbortSignal): Promise<ConsoleSession> => request('GET', undefined, signal)

/** Sends the key, which the page does not keep: the session is in a cookie that scripts cannot read. */
export const startSession = (key: string): Promise<ConsoleSession> => request('POST', { key })

export const endSession = (): Promise<void> => request('DELETE')

/** The session's operations set a cookie, so the client has no methods for them. */
async function request<T>(method: string, body?: unknown, signal?: AbortSignal): Promise<T> {
  const response = await fetch('/admin/session', {
    method,
    credentials: 'same-origin',
    headers: { 'x-tenantry-console': '1', ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  }).catch((cause: unknown) => {
    throw signal?.aborted ? cause : new TenantryConnectionError('The server did not answer', { cause })
  })
  if (response.status === 204) return undefined as T
  const answer = await response.json()
  if (!response.ok) throw new TenantryError(answer as Failure, response.status, response.headers)
  return (answer as { data: T }).data
}
