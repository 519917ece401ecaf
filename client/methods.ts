import type { z } from 'zod'
import type { Operation } from '../contract/operation.ts'
import type { OperationName, Operations } from '../contract/operations.ts'
import type { Lines } from './lines.ts'

/** An access token, or where to get the one of the moment; null or undefined: nobody is signed in. */
export type AccessToken = string | null | (() => string | null | undefined | Promise<string | null | undefined>)

/** What can be set for one call. */
export interface CallOptions {
  /** Instead of the client's; null sends none. */
  readonly accessToken?: AccessToken
  /** Sent as `X-Request-Id`, 1 to 64 of `A-Za-z0-9._-`: found again in the answer, in errors and in the server's log. */
  readonly requestId?: string
  /** Ends the call; what it then throws is the signal's reason. */
  readonly signal?: AbortSignal
  /** Sent as they are, over any of the client's own. */
  readonly headers?: Readonly<Record<string, string>>
}

type ParamsArgument<O> = O extends { readonly params: infer S extends z.ZodType } ? [params: z.input<S>] : []

/** A POST body may be left out where `{}` will do; what a PATCH or PUT is to change has to be said. */
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
 * The lines of an answer. The call begins when the first is asked for, and ends when nobody asks any more. Rejects as
 * every call does, also after some lines: those that came before stand.
 */
export type LinesAnswer<T> = AsyncIterable<T>

type ResetBody = z.input<Operations['resetPassword']['body']>
type ResetAnswer = z.output<Operations['resetPassword']['output']>

/** The two steps of a password reset, each with its own answer (contract 4.2). */
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

/** Every operation of the contract, by its name. */
export type Methods = {
  readonly [Name in OperationName]: Name extends 'resetPassword' ? ResetPassword : Method<Operations[Name]>
}

/** What an operation takes: its body, or its query. */
export type InputOf<Name extends OperationName> = Operations[Name] extends { readonly body: infer S extends z.ZodType }
  ? z.input<S>
  : Operations[Name] extends { readonly query: infer S extends z.ZodType }
    ? z.input<S>
    : undefined

/** What an operation answers. */
export type OutputOf<Name extends OperationName> = z.output<Operations[Name]['output']>
