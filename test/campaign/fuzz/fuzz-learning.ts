import type { OperationName } from '../../../contract/operations.ts'
import type { WireAnswer } from '../../support/http/wire.ts'
import type { FuzzFixture } from './fuzz-fixture.ts'

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

/** Records the ids, tokens and codes of a success, so that later requests reach further. */
export function learnFrom(operation: OperationName, answer: WireAnswer, fixture: FuzzFixture): void {
  const { etag } = answer.headers
  if (etag !== undefined) fixture.learn('etag', etag)
  if (answer.status >= 300 || !answer.headers['content-type']?.startsWith('application/json')) return
  const { data } = answer.json() as { data?: Told }
  if (data === undefined) return
  if (typeof data.accessToken === 'string') fixture.learn('accessToken', data.accessToken)
  if (typeof data.refreshToken === 'string') fixture.learn('refreshToken', data.refreshToken)
  fixture.learn('session', ...(data.sessions ?? []).map(({ id }) => id))
  fixture.learn('identity', ...(data.identities ?? []).map(({ id }) => id).filter((id) => id.length === 26))
  if (operation === 'listMessages') fixture.learn('message', ...(data.items ?? []).flatMap(({ id }) => id ?? []))
  if (data.user !== undefined) fixture.learn('user', data.user.id)
  if (data.user?.email) fixture.learn('email', data.user.email)
  if (typeof data.nextCursor === 'string') fixture.learn('cursor', data.nextCursor)
  if (typeof data.id === 'string') learnId(operation, data as Told & { id: string }, fixture)
  for (const { otpId, scope, code } of data.messages ?? []) {
    if (otpId === null || scope === null || code === null) continue
    fixture.learn('otp', otpId)
    fixture.learnDelivered(otpId, { scope, code })
  }
}

function learnId(operation: OperationName, { id, key }: Told & { id: string }, fixture: FuzzFixture): void {
  if (['issueOtp', 'resetPassword', 'changeEmail', 'changePhone'].includes(operation)) fixture.learn('otp', id)
  else if (operation === 'createTenant') fixture.learn('tenant', id)
  else if (operation === 'createUser') fixture.learn('user', id)
  else if (key !== undefined) fixture.learn('key', key)
}
