import type { ErrorCode } from '../../contract/errors.ts'
import type { ErrorsOf, Operation } from '../../contract/operation.ts'
import type { Session } from '../accounts/sessions/session.ts'
import type { User } from '../accounts/user.ts'
import type { Operator } from '../operators/operator.ts'
import type { TenantStorage } from '../storage/storage.ts'
import type { TenantKey } from '../tenants/tenant.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import type { KeepAnswer } from './idempotency.ts'
import type { Refuse } from './service-error.ts'

/** What every call has. `C` are the codes that its handler may refuse with. */
export interface PublicCall<C extends ErrorCode = never> {
  /**
   * The time at which the request was complete, epoch milliseconds. Read once, so that everything in the call has the same
   * time. With a body of lines, the time at which its headers had arrived.
   */
  readonly now: number
  readonly refuse: Refuse<C>
  readonly requestId: string
  /** Present if the request has an `Idempotency-Key`: pass it to `keepAnswer` in the transaction of the effect. */
  readonly keep?: KeepAnswer | undefined
}

/** A call of an operator. */
export interface AdminCall<C extends ErrorCode = never> extends PublicCall<C> {
  readonly operator: Operator
  /** The client's address in canonical form. */
  readonly address: string
  readonly userAgent: string | undefined
  /** Aborts when the client has closed its connection. */
  readonly gone: () => AbortSignal
  /** For streams and exports, which outlive the check of their request: resolves with whether the operator may still make it. */
  readonly lastingRight: () => Promise<() => Promise<boolean>>
}

/** The session of the console in a browser. */
export interface ConsoleSession {
  /** SHA-256 of the token in its cookie. */
  readonly id: string
  readonly operator: Operator
  /** When it ends at the latest, epoch milliseconds. */
  readonly endsAt: number
}

/** A call of the console, before or after an operator signed in. */
export interface ConsoleCall<C extends ErrorCode = never> extends PublicCall<C> {
  /** null without a cookie, or when its session has ended. */
  readonly session: ConsoleSession | null
  /** The client's address in canonical form. */
  readonly address: string
  readonly userAgent: string | undefined
  /**
   * The operator of a key, which is checked and counted as one in `Authorization`.
   * @throws {ServiceError} INVALID_ADMIN_KEY; TOO_MANY_REQUESTS for wrong keys past the limit
   */
  readonly authenticate: (key: string) => Promise<Operator>
}

/** A call on behalf of a tenant, after its request checks. */
export interface TenantCall<C extends ErrorCode = never> extends PublicCall<C> {
  readonly tenantId: string
  /** The tenant key of the request. */
  readonly key: TenantKey
  readonly snapshot: TenantSnapshot
  /** The stores of the tenant. */
  readonly storage: TenantStorage
  /** The client's address in canonical form. */
  readonly address: string
  readonly acceptLanguage: string | undefined
  readonly userAgent: string | undefined
  /** Aborts when the client has closed its connection. */
  readonly gone: () => AbortSignal
}

/** The authentication behind an access token. */
export interface Authentication {
  /** When the user signed in or stepped up, epoch milliseconds. */
  readonly at: number
  /** The methods (RFC 8176). */
  readonly amr: readonly string[]
}

/** A call of a signed-in user. */
export interface UserCall<C extends ErrorCode = never> extends TenantCall<C> {
  readonly user: User
  readonly session: Session
  readonly authentication: Authentication
}

/** A call that may come from a signed-in user. */
export interface MaybeUserCall<C extends ErrorCode = never> extends TenantCall<C> {
  readonly user: User | null
  readonly session: Session | null
  readonly authentication: Authentication | null
}

interface CallByAuthentication<C extends ErrorCode> {
  none: PublicCall<C>
  admin: AdminCall<C>
  console: ConsoleCall<C>
  tenant: TenantCall<C>
  'tenant, user?': MaybeUserCall<C>
  'tenant, user': UserCall<C>
}

/** The call as the handler of an operation receives it. */
export type Call<O extends Operation> = CallByAuthentication<ErrorsOf<O>>[O['auth']]
