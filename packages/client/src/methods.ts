import type { z } from 'zod'
import type { Operation } from '../../../contract/operation.ts'
import type { OperationName, Operations } from '../../../contract/operations.ts'
import type { Lines } from './lines.ts'

/** An access token, or a function that returns the current one; null or undefined if no user is signed in. */
export type AccessToken = string | null | (() => string | null | undefined | Promise<string | null | undefined>)

/** The options of one call. */
export interface CallOptions {
  /** Overrides the access token of the client; null sends none. */
  readonly accessToken?: AccessToken
  /** Sent as `X-Request-Id`: 1 to 64 of `A-Za-z0-9._-`. Appears in the response, in errors and in the server's log. */
  readonly requestId?: string
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal
  /** Override the headers of the client. */
  readonly headers?: Readonly<Record<string, string>>
}

type ParamsArgument<O> = O extends { readonly params: infer S extends z.ZodType } ? [params: z.input<S>] : []

/** A POST body is optional if `{}` is valid; the body of a PATCH or PUT is required. */
type BodyArgument<Body, Method> = Method extends 'POST'
  ? [Record<never, never>] extends [Body]
    ? [body?: Body]
    : [body: Body]
  : [body: Body]

type QueryArgument<O> = O extends { readonly query: infer S extends z.ZodType } ? [query?: z.input<S>] : []

type InputArgument<O extends Operation> = O extends { readonly body: infer S extends z.ZodType }
  ? BodyArgument<z.input<S>, O['method']>
  : O extends { readonly bodyLines: z.ZodType }
    ? [lines: Lines, ...QueryArgument<O>]
    : QueryArgument<O>

/** One operation as a method: path parameters first, then body, lines or query, then options. */
export type Method<O extends Operation> = (
  ...args: [...ParamsArgument<O>, ...InputArgument<O>, options?: CallOptions]
) => O extends { readonly outputLines: true } ? LinesAnswer<z.output<O['output']>> : Promise<z.output<O['output']>>

/**
 * The lines of a response. The call starts with the first read and ends with the iteration. It can reject after some lines,
 * which remain valid.
 */
export type LinesAnswer<T> = AsyncIterable<T>

type ResetBody = z.input<Operations['resetPassword']['body']>
type ResetAnswer = z.output<Operations['resetPassword']['output']>

/** The two steps of a password reset, each with its own result. */
export interface ResetPassword {
  (
    body: Extract<ResetBody, { step: 'challenge' }>,
    options?: CallOptions,
  ): Promise<Extract<ResetAnswer, { id: string }>>
  (
    body: Extract<ResetBody, { step: 'confirm' }>,
    options?: CallOptions,
  ): Promise<Extract<ResetAnswer, { success: true }>>
  (body: ResetBody, options?: CallOptions): Promise<ResetAnswer>
}

/** Every operation by name. */
export type Methods = {
  readonly [Name in OperationName]: Name extends 'resetPassword' ? ResetPassword : Method<Operations[Name]>
}

/** The input of an operation: its body or its query. */
export type InputOf<Name extends OperationName> = Operations[Name] extends { readonly body: infer S extends z.ZodType }
  ? z.input<S>
  : Operations[Name] extends { readonly query: infer S extends z.ZodType }
    ? z.input<S>
    : undefined

/** The result of an operation. */
export type OutputOf<Name extends OperationName> = z.output<Operations[Name]['output']>
