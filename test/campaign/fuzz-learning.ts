import type { OperationName } from '../../contract/operations.ts'
import type { WireAnswer } from '../support/wire.ts'
import type { FuzzWorld } from './fuzz-world.ts'

interface Told {
  readonly id?: string
  readonly key?: string
  readonly accessToken?: string
  readonly refreshToken?: string
  readonly sessions?: readonly { readonly id: string }[]
  readonly identities?: readonly { readonly id: string }[]
  readonly items?: readonly { readonly id?: string }[]
  readonly user?: { readonly id: string; readonly email: string | null }
  readonly nextCursor?: string | null
  readonly messages?: readonly {
    readonly otpId: string | null
    readonly scope: string | null
    readonly code: string | null
  }[]
}

/** Notes the ids, tokens and codes of a success, so that later requests come deeper. */
export function learnFrom(operation: OperationName, answer: WireAnswer, world: FuzzWorld): void {
  const { etag } = answer.headers
  if (etag !== undefined) world.learn('etag', etag)
  if (answer.status >= 300 || !answer.headers['content-type']?.startsWith('application/json')) return
  const { data } = answer.json() as { data?: Told }
  if (data === undefined) return
  if (typeof data.accessToken === 'string') world.learn('accessToken', data.accessToken)
  if (typeof data.refreshToken === 'string') world.learn('refreshToken', data.refreshToken)
  world.learn('session', ...(data.sessions ?? []).map(({ id }) => id))
  world.learn('identity', ...(data.identities ?? []).map(({ id }) => id).filter((id) => id.length === 26))
  if (operation === 'listMessages') world.learn('message', ...(data.items ?? []).flatMap(({ id }) => id ?? []))
  if (data.user !== undefined) world.learn('user', data.user.id)
  if (data.user?.email) world.learn('email', data.user.email)
  if (typeof data.nextCursor === 'string') world.learn('cursor', data.nextCursor)
  if (typeof data.id === 'string') learnId(operation, data as Told & { id: string }, world)
  for (const { otpId, scope, code } of data.messages ?? []) {
    if (otpId === null || scope === null || code === null) continue
    world.learn('otp', otpId)
    world.learnDelivered(otpId, { scope, code })
  }
}

function learnId(operation: OperationName, { id, key }: Told & { id: string }, world: FuzzWorld): void {
  if (['issueOtp', 'resetPassword', 'changeEmail', 'changePhone'].includes(operation)) world.learn('otp', id)
  else if (operation === 'createTenant') world.learn('tenant', id)
  else if (operation === 'createUser') world.learn('user', id)
  else if (key !== undefined) world.learn('key', key)
}
