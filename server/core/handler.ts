import type { z } from 'zod'
import type { ErrorCode } from '../../contract/errors.ts'
import type { ErrorsOf, Operation } from '../../contract/operation.ts'
import type { GrantedScope } from '../../contract/scopes.ts'
import type { Session } from '../accounts/sessions/session.ts'
import type { User } from '../accounts/user.ts'
import type { Services } from '../services.ts'
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

/** Who acts under `/admin`. */
export interface Operator {
  /** `root` for the root key. */
  readonly id: string
  readonly name: string
  readonly scopes: readonly GrantedScope[]
  /** The tenants that the operator may reach; null for all of them and the deployment. */
  readonly tenantIds: readonly string[] | null
  /** When the key expires, epoch milliseconds. */
  readonly expiresAt: number | null
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

type Parsed<S, Fallback> = S extends z.ZodType ? z.output<S> : Fallback

/** One line of a body: a JSON object, or why it is not one. Lines are numbered from 1, blank ones included. */
export type BodyLine =
  | { readonly line: number; readonly value: Readonly<Record<string, unknown>>; readonly problem?: undefined }
  | { readonly line: number; readonly value?: undefined; readonly problem: string }

/** The lines of a body, read on demand, without blank ones. */
type Lines<O extends Operation> = O['bodyLines'] extends z.ZodType
  ? {
      /** @throws {ServiceError} PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT during the iteration */
      readonly lines: AsyncIterable<BodyLine>
    }
  : unknown

/** Whether a change may apply to a revision, as the request demands (RFC 9110 13.1.1); 0: nothing is stored yet. */
export type ExpectedRevision = (revision: number) => boolean

/** What `If-Match` demands; undefined without the header. */
type Precondition<O extends Operation> = O['revisioned'] extends true
  ? { readonly expectedRevision: ExpectedRevision | undefined }
  : unknown

/** An answer with the revision of what it shows; 0: nothing is stored yet. */
export interface Revisioned<T> {
  readonly data: T
  readonly revision: number
}

/** An answer that changes the cookie of the console. */
export interface WithConsoleToken<T> {
  readonly data: T
  /** The token of a new session; null clears the cookie. */
  readonly consoleToken: string | null
}

/** The parsed request. */
export type Input<O extends Operation> = Lines<O> &
  Precondition<O> & {
    readonly params: Parsed<O['params'], Record<never, never>>
    readonly query: Parsed<O['query'], Record<never, never>>
    readonly body: Parsed<O['body'], undefined>
  }

/** A complete response body without an envelope (`envelope: false`). */
export interface Document {
  readonly body: string | Buffer
  /** Strong entity tag with its quotes (RFC 9110 8.8.3); enables `If-None-Match`. */
  readonly etag?: string
  readonly cacheControl: string
  readonly vary?: string
  /** The language of its texts (RFC 9110 8.5). */
  readonly contentLanguage?: string
  /** Set when pages of every origin may read it (Fetch standard, CORS protocol), because it is the same for everyone. */
  readonly anyOrigin?: true
}

/** A server-sent event. */
export interface StreamEvent<T> {
  /** A client that reconnects sends it as `Last-Event-ID`. */
  readonly id: string
  readonly event: string
  /** Sent as JSON. */
  readonly data: T
}

/** A streamed response. */
export interface EventStream<T> {
  /**
   * The events, read on demand as fast as the client reads. It ends soon after `ends` fires: the client disconnected, or the
   * service is shutting down.
   */
  readonly events: (ends: AbortSignal) => AsyncIterable<StreamEvent<T>>
  /** Whether the operator may still read them; asked while the client does not read. */
  readonly mayRead: () => Promise<boolean>
}

/**
 * The response of an operation: its output, which `http/mount.ts` puts into the envelope, a document, a stream, or
 * lines. Lines are read on demand as fast as the client reads; when it disconnects, the iteration is ended (`return`).
 */
type Answer<O extends Operation> = O['stream'] extends true
  ? EventStream<z.input<O['output']>>
  : O['outputLines'] extends true
    ? AsyncIterable<z.input<O['output']>>
    : O['envelope'] extends false
      ? Document
      : O['revisioned'] extends true
        ? Revisioned<z.input<O['output']>>
        : O['setsCookie'] extends true
          ? WithConsoleToken<z.input<O['output']>>
          : z.input<O['output']>

/** The work of one operation. It throws `call.refuse(code)` to refuse; any other error answers INTERNAL_SERVER. */
export type Handler<O extends Operation> = (
  input: Input<O>,
  call: Call<O>,
  services: Services,
) => Promise<Answer<O>> | Answer<O>
