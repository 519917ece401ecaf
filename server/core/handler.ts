import type { z } from 'zod'
import type { Operation } from '../../contract/operation.ts'
import type { Services } from '../services.ts'
import type { Call } from './call.ts'
import type { Revisioned } from './revisioned.ts'

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
