import type { Answers, Done, Inputs, IssuedOtp, Operations, ResetPasswordBody } from './generated/types.ts'
import type { Route } from './route.ts'

/** An access token, or a function that returns the current one; null or undefined if no user is signed in. */
export type AccessToken = string | null | (() => string | null | undefined | Promise<string | null | undefined>)

/** The options of one call. */
export interface CallOptions {
  /** Overrides the access token of the client; null sends none. */
  readonly accessToken?: AccessToken | undefined
  /** Sent as `X-Request-Id`: 1 to 64 of `A-Za-z0-9._-`. Appears in the response, in errors and in the server's log. */
  readonly requestId?: string | undefined
  /**
   * Sent as `Idempotency-Key`: 1 to 255 visible ASCII characters, such as `crypto.randomUUID()`. Repeating the call with the
   * same key within 24 hours has no second effect. For `issueOtp`, and for operators `createTenant`, `createTenantKey`,
   * `createUser`, `createOperator`, `rotateTenantKey` and `rotateOperatorKey`.
   */
  readonly idempotencyKey?: string | undefined
  /**
   * Sent as `If-Match`. A change then rejects unless this revision is still stored: `updateProfile` and the operator's
   * `updateUserProfile` with `PROFILE_CHANGED`; `replaceConfiguration`, `updateConfiguration` and `publishProfileSchema` with
   * `PRECONDITION_FAILED`.
   */
  readonly ifMatch?: string | undefined
  /** Called with the `ETag` of the answer: the revision of what it shows, for `ifMatch`. */
  readonly onEtag?: ((etag: string) => void) | undefined
  /** Aborts the call, which then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
  /** Override the headers of the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined
}

/** The two steps of a password reset, each with its own result. */
export interface ResetPassword {
  (body: Extract<ResetPasswordBody, { step: 'challenge' }>, options?: CallOptions): Promise<IssuedOtp>
  (body: Extract<ResetPasswordBody, { step: 'confirm' }>, options?: CallOptions): Promise<Done>
  (body: ResetPasswordBody, options?: CallOptions): Promise<IssuedOtp | Done>
}

/** One method per operation: path parameters, then the body, lines or query, then the options of the call. */
export interface Methods extends Omit<Operations, 'resetPassword'> {
  /** Reset a password. Step `challenge` sends a code; step `confirm` stores the new password. */
  resetPassword: ResetPassword
}

/** The input of an operation: its body or its query. */
export type InputOf<Name extends keyof Operations> = Name extends keyof Inputs ? Inputs[Name] : undefined

/** The answer of an operation. */
export type OutputOf<Name extends keyof Operations> = Answers[Name]

/** One method per route, which calls `perform` with its arguments. */
export const methodsOf = <M>(
  routes: Readonly<Record<string, Route>>,
  perform: (route: Route, args: readonly unknown[], name: string) => unknown,
): M =>
  Object.fromEntries(
    Object.entries(routes).map(([name, route]) => [name, (...args: unknown[]) => perform(route, args, name)]),
  ) as M
