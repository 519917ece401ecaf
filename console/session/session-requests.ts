import type { GrantedScope } from '../../contract/scopes.ts'
import { call } from '../../packages/client/src/call.ts'
import { send } from './admin.ts'

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
export const readSession = (signal?: AbortSignal) => request<ConsoleSession>('GET', [{ signal }])

/** Sends the key, which the page does not keep: the session is in a cookie that scripts cannot read. */
export const startSession = (key: string) => request<ConsoleSession>('POST', [{ key }])

export const endSession = () => request<undefined>('DELETE', [])

/** The session's operations set a cookie, so the client has no methods for them. */
async function request<T>(method: 'GET' | 'POST' | 'DELETE', args: readonly unknown[]): Promise<T> {
  const takes = method === 'POST' && { takes: 'body' as const }
  const route = { method, path: '/admin/session', auth: 'none' as const, ...takes }
  return (await call({ baseUrl: location.origin, fetch: send, timeoutMs: 0 }, route, args)) as T
}
