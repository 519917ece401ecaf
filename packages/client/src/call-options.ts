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
