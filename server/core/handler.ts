import type { z } from 'zod'
import type { ErrorCode } from '../../contract/errors.ts'
import type { ErrorsOf, Operation } from '../../contract/operation.ts'
import type { Session } from '../accounts/session.ts'
import type { User } from '../accounts/user.ts'
import type { Services } from '../services.ts'
import type { TenantStorage } from '../storage/storage.ts'
import type { TenantSnapshot } from '../tenants/tenant-snapshot.ts'
import type { Refuse } from './service-error.ts'

/** What every call has. `C` are the codes that its handler may refuse with. */
export interface PublicCall<C extends ErrorCode = never> {
  /** The one clock reading that decides everything in this call, epoch milliseconds. */
  readonly now: number
  readonly refuse: Refuse<C>
}

/** A call on behalf of a tenant, after its request checks. */
export interface TenantCall<C extends ErrorCode = never> extends PublicCall<C> {
  readonly tenantId: string
  readonly snapshot: TenantSnapshot
  /** The tenant's own stores. */
  readonly storage: TenantStorage
  /** The client's address in canonical form. */
  readonly address: string
  readonly acceptLanguage: string | undefined
  readonly userAgent: string | undefined
  /** Aborts when the client has closed its connection. */
  readonly gone: () => AbortSignal
}

/** The proof behind an access token. */
export interface Authentication {
  /** When the user signed in or stepped up, epoch milliseconds. */
  readonly at: number
  /** How (RFC 8176). */
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
  admin: PublicCall<C>
  tenant: TenantCall<C>
  'tenant, user?': MaybeUserCall<C>
  'tenant, user': UserCall<C>
}

/** The call as the handler of an operation receives it. */
export type Call<O extends Operation> = CallByAuthentication<ErrorsOf<O>>[O['auth']]

type Parsed<S, Fallback> = S extends z.ZodType ? z.output<S> : Fallback

/** One line of a body, numbered from 1, blank ones included: a JSON object, or what keeps it from being one. */
export type BodyLine =
  | { readonly line: number; readonly value: Readonly<Record<string, unknown>>; readonly problem?: undefined }
  | { readonly line: number; readonly value?: undefined; readonly problem: string }

/** The lines of a body, read as they are asked for; blank ones are left out. */
type Lines<O extends Operation> = O['bodyLines'] extends z.ZodType
  ? {
      /** @throws {ServiceError} PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT: at the line where it turns out */
      readonly lines: AsyncIterable<BodyLine>
    }
  : unknown

/** What came in, parsed. */
export type Input<O extends Operation> = Lines<O> & {
  readonly params: Parsed<O['params'], Record<never, never>>
  readonly query: Parsed<O['query'], Record<never, never>>
  readonly body: Parsed<O['body'], undefined>
}

/** A success body that is ready to send and stands alone: `envelope: false`. */
export interface Document {
  readonly body: string | Buffer
  /** Strong entity tag with its quotes (RFC 9110 8.8.3); `If-None-Match` is honoured when there is one. */
  readonly etag?: string
  readonly cacheControl: string
  readonly vary?: string
}

/** One event of a stream (HTML 9.2). */
export interface StreamEvent<T> {
  /** Sent back as `Last-Event-ID` by a client that goes on from it. */
  readonly id: string
  readonly event: string
  /** Sent as JSON. */
  readonly data: T
}

/**
 * The events of an answer that goes on, asked for one by one, as fast as the client reads. Ends soon after `ends` has
 * fired: the client went, or the service closes.
 */
export type EventStream<T> = (ends: AbortSignal) => AsyncIterable<StreamEvent<T>>

/**
 * What an operation answers with: its output, put into the envelope by the mount, or a document, or a stream, or lines.
 * Lines are asked for one by one, as fast as the client reads; should it go, the iteration is ended (`return`).
 */
export type Answer<O extends Operation> = O['stream'] extends true
  ? EventStream<z.input<O['output']>>
  : O['outputLines'] extends true
    ? AsyncIterable<z.input<O['output']>>
    : O['envelope'] extends false
      ? Document
      : z.input<O['output']>

/** The work of one operation. It throws `call.refuse(code)` to refuse; any other error answers INTERNAL_SERVER. */
export type Handler<O extends Operation> = (
  input: Input<O>,
  call: Call<O>,
  services: Services,
) => Promise<Answer<O>> | Answer<O>
