/**
 * Every refusal the service can answer, one row a code: HTTP status, and a message that says what to do.
 * The first block is the contract's (contract 7), the second is the design's (design 2-6, 9).
 */
export const errors = {
  VALIDATION_ERROR: { status: 400, message: 'The request is not valid: see error.validation for each field.' },
  MISSING_USER_TOKEN: {
    status: 401,
    message: 'Sign in first: send the access token as "Authorization: Bearer <token>".',
  },
  INVALID_USER_TOKEN: { status: 401, message: 'The access token is malformed, expired or revoked: sign in again.' },
  TOKEN_USER_NOT_FOUND: { status: 401, message: 'The user of this access token no longer exists.' },
  RESTRICTED_CAPABILITY: { status: 403, message: 'This capability is restricted: ask the operator of the service.' },
  OTP_NOT_FOUND: { status: 404, message: 'No such one-time password, or it has expired: ask for a new one.' },
  RESET_PASSWORD_USER_NOT_FOUND: { status: 409, message: 'No user with a password has this e-mail address.' },
  OTP_RESEND_INTERVAL_NOT_EXPIRED: { status: 422, message: 'Sent a moment ago: wait for the resend interval to pass.' },
  OTP_MAX_RESENDS_REACHED: { status: 422, message: 'Resent as often as allowed: ask for a new one-time password.' },
  OTP_NOT_CONSUMABLE: { status: 422, message: 'Verify the one-time password first, or ask for a new one.' },
  OTP_ALREADY_CONSUMED: { status: 422, message: 'This one-time password was used already: ask for a new one.' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests: try again after the time in Retry-After.' },
  TENANT_NOT_CONFIGURED: {
    status: 500,
    message: 'The tenant is not configured for this: the operator must set its configuration.',
  },
  UNEXPECTED_STATE: { status: 500, message: 'The tenant or the request is in a state that should not occur.' },
  OTP_CONSUME_CALLBACK_ERROR: {
    status: 500,
    message: 'The password could not be stored: nothing was changed, try again.',
  },
  INTERNAL_SERVER: { status: 500, message: 'Something went wrong on our side: report the request id if it persists.' },

  MISSING_TENANT_KEY: { status: 401, message: 'Send the tenant key as "X-Tenant-Key".' },
  INVALID_TENANT_KEY: {
    status: 401,
    message: 'The tenant key is malformed, unknown, expired or revoked: check the key.',
  },
  TENANT_SUSPENDED: { status: 403, message: 'This tenant is suspended: ask the operator of the service.' },
  MISSING_ADMIN_KEY: { status: 401, message: 'Send the admin key as "Authorization: Bearer <admin key>".' },
  INVALID_ADMIN_KEY: { status: 401, message: 'The admin key is not the one this server was started with.' },
  INVALID_CREDENTIALS: { status: 401, message: 'The e-mail address or the password is wrong.' },
  INVALID_SOCIAL_TOKEN: {
    status: 401,
    message:
      'The ID token is malformed, expired, already used, or was issued for somebody else: sign in with the provider again.',
  },
  INVALID_REFRESH_TOKEN: { status: 401, message: 'The refresh token is unknown, expired or used: sign in again.' },
  FRESH_SIGN_IN_REQUIRED: {
    status: 403,
    message:
      'This needs a recent sign-in: prove it again with POST /auth/step-up, then retry with the new access token.',
  },
  BAD_REQUEST: { status: 400, message: 'The HTTP request is malformed.' },
  NOT_FOUND: { status: 404, message: 'No such route: see /docs for the operations.' },
  TENANT_NOT_FOUND: { status: 404, message: 'No tenant has this id.' },
  TENANT_KEY_NOT_FOUND: { status: 404, message: 'The tenant has no active key with this id.' },
  USER_NOT_FOUND: { status: 404, message: 'The tenant has no user with this id.' },
  SESSION_NOT_FOUND: { status: 404, message: 'The user has no open session with this id.' },
  IDENTITY_NOT_FOUND: { status: 404, message: 'The account has no identity with this id.' },
  MESSAGE_NOT_FOUND: { status: 404, message: 'The tenant has no message with this id.' },
  PROFILE_NOT_FOUND: { status: 404, message: 'This user has no profile yet: the first PATCH makes one.' },
  PROFILE_SCHEMA_VERSION_NOT_FOUND: { status: 404, message: 'The tenant never published this profile schema version.' },
  METHOD_NOT_ALLOWED: { status: 405, message: 'This path does not take this method: see the Allow header.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request took too long to arrive: send it again.' },
  EMAIL_ALREADY_REGISTERED: {
    status: 409,
    message: 'A user with this e-mail address exists: sign in or reset the password.',
  },
  USER_ALREADY_EXISTS: { status: 409, message: 'The tenant has a user with this id.' },
  PHONE_ALREADY_REGISTERED: { status: 409, message: 'A user with this phone number exists.' },
  IDENTITY_LINKED_ELSEWHERE: {
    status: 409,
    message: 'This belongs to another account: sign in with it instead, or remove it there first.',
  },
  IDENTITY_ALREADY_LINKED: {
    status: 409,
    message: 'The account has one of this kind already: change it, or remove it first.',
  },
  LAST_IDENTITY: {
    status: 409,
    message: 'Nobody could sign in to this account without it: add another way first, or delete the account.',
  },
  PROFILE_SCHEMA_VERSION_EXISTS: {
    status: 409,
    message: 'This version was published with other content: published versions never change, choose a new one.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message:
      'The request body, or the profile it would result in, exceeds the size limit: send less, or clear profile fields.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message:
      'Send the body as "Content-Type: application/json" ("application/x-ndjson" where it is lines), in UTF-8 and without content encoding.',
  },
  OTP_METHOD_NOT_AVAILABLE: { status: 422, message: 'No sender is set up for this delivery method.' },
  OTP_INVALID_CODE: { status: 422, message: 'The code is wrong: read it again, and mind the remaining attempts.' },
  OTP_MAX_ATTEMPTS_REACHED: { status: 422, message: 'Too many wrong codes: ask for a new one-time password.' },
  OTP_ALREADY_VERIFIED: { status: 422, message: 'This one-time password is verified already: go on to the next step.' },
  OTP_NOT_PENDING: { status: 422, message: 'This one-time password is no longer pending: ask for a new one.' },
  MESSAGE_NOT_RETRYABLE: {
    status: 422,
    message: 'Only a failed message is retried, before it expires and while its one-time password is pending.',
  },
  EMAIL_NOT_SET: { status: 422, message: 'A password signs in with an e-mail address: add one to the account first.' },
  AUTH_METHOD_NOT_ENABLED: { status: 422, message: 'The tenant has not enabled this sign-in method.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request headers are too large.' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service cannot take this now: try again after the time in Retry-After.',
  },
} as const satisfies Record<string, { status: number; message: string }>

/** One of the codes of `errors`; `error.code` on the wire (contract 7). */
export type ErrorCode = keyof typeof errors
