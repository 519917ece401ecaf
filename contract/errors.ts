/** Every error code of the API with its HTTP status and its message: what is wrong, then what to do. */
export const errors = {
  VALIDATION_ERROR: {
    status: 400,
    message: 'The request is invalid. See error.validation for the message of each field.',
  },
  MISSING_USER_TOKEN: {
    status: 401,
    message: 'The access token is missing. Sign in and send it as "Authorization: Bearer <token>".',
  },
  INVALID_USER_TOKEN: { status: 401, message: 'The access token is malformed, expired or revoked. Sign in again.' },
  TOKEN_USER_NOT_FOUND: { status: 401, message: 'The user of this access token no longer exists.' },
  RESTRICTED_CAPABILITY: {
    status: 403,
    message: 'This capability is restricted for the tenant or the user. Contact the operator of the service.',
  },
  OTP_NOT_FOUND: { status: 404, message: 'The one-time password does not exist or has expired. Request a new one.' },
  RESET_PASSWORD_USER_NOT_FOUND: { status: 409, message: 'No user with a password has this e-mail address.' },
  OTP_RESEND_INTERVAL_NOT_EXPIRED: {
    status: 422,
    message: 'The resend interval has not elapsed. Try again after the time in Retry-After.',
  },
  OTP_MAX_RESENDS_REACHED: {
    status: 422,
    message: 'The maximum number of resends is reached. Request a new one-time password.',
  },
  OTP_NOT_CONSUMABLE: {
    status: 422,
    message: 'The one-time password is not verified. Verify it first, or request a new one.',
  },
  OTP_ALREADY_CONSUMED: { status: 422, message: 'The one-time password has already been used. Request a new one.' },
  TOO_MANY_REQUESTS: { status: 429, message: 'Too many requests. Try again after the time in Retry-After.' },
  TENANT_NOT_CONFIGURED: {
    status: 500,
    message: "The tenant's configuration is missing or invalid. The operator of the service must correct it.",
  },
  UNEXPECTED_STATE: {
    status: 500,
    message:
      'The tenant or the request is in an unexpected state. Contact the operator of the service with the request id.',
  },
  EVENT_LOG_DAMAGED: {
    status: 500,
    message:
      'A stored event or batch has a value that the service never writes. An operator can verify the event log to find it.',
  },
  OTP_CONSUME_CALLBACK_ERROR: {
    status: 500,
    message: 'The password could not be stored. Nothing was changed; try again.',
  },
  INTERNAL_SERVER: { status: 500, message: 'An internal error occurred. If it persists, report the request id.' },

  MISSING_TENANT_KEY: { status: 401, message: 'The tenant key is missing. Send it in the X-Tenant-Key header.' },
  INVALID_TENANT_KEY: {
    status: 401,
    message: 'The tenant key is malformed, unknown, expired or revoked. Check the key.',
  },
  TENANT_SUSPENDED: { status: 403, message: 'The tenant is suspended. Contact the operator of the service.' },
  MISSING_ADMIN_KEY: {
    status: 401,
    message: 'The admin key is missing. Send it as "Authorization: Bearer <admin key>".',
  },
  INVALID_ADMIN_KEY: {
    status: 401,
    message:
      'The admin key is malformed, unknown, expired or revoked, or the console session has ended. Check the key, or sign in again.',
  },
  FOREIGN_ORIGIN: {
    status: 403,
    message:
      'The console session only counts for pages of this server, and for changes only with "X-Tenantry-Console: 1". Send the request from the console, or send a key in Authorization.',
  },
  INVALID_CREDENTIALS: { status: 401, message: 'The e-mail address or the password is wrong.' },
  INVALID_SOCIAL_TOKEN: {
    status: 401,
    message:
      'The ID token is malformed, expired, already used, or issued for another audience. Sign in with the provider again.',
  },
  INVALID_REFRESH_TOKEN: {
    status: 401,
    message: 'The refresh token is unknown, expired or already used. Sign in again.',
  },
  INSUFFICIENT_SCOPE: {
    status: 403,
    message: 'The operator lacks what this requires; see error.missing. An operator who has it can grant it.',
  },
  FRESH_SIGN_IN_REQUIRED: {
    status: 403,
    message: 'This operation requires a recent sign-in. Call POST /auth/step-up and retry with the new access token.',
  },
  ADDRESS_PROOF_REQUIRED: {
    status: 403,
    message:
      'The address was restored in the last 72 hours. Call POST /auth/step-up with a code that was sent to it or to an older address of the account, and retry with the new access token.',
  },
  BAD_REQUEST: { status: 400, message: 'The HTTP request is malformed.' },
  NOT_FOUND: { status: 404, message: 'The route does not exist. See /docs for all operations.' },
  TENANT_NOT_FOUND: { status: 404, message: 'The tenant does not exist.' },
  TENANT_KEY_NOT_FOUND: { status: 404, message: 'The tenant has no active key with this id.' },
  USER_NOT_FOUND: { status: 404, message: 'The tenant has no user with this id.' },
  SESSION_NOT_FOUND: { status: 404, message: 'The user has no open session with this id.' },
  IDENTITY_NOT_FOUND: { status: 404, message: 'The account has no identity with this id.' },
  OPERATOR_NOT_FOUND: { status: 404, message: 'No operator has this id, or they are revoked.' },
  MESSAGE_NOT_FOUND: { status: 404, message: 'The tenant has no message with this id.' },
  FORM_NOT_FOUND: { status: 404, message: 'The profile schema of the tenant has no form with this name.' },
  PROFILE_SCHEMA_VERSION_NOT_FOUND: {
    status: 404,
    message: 'The tenant has not published this version of the profile schema.',
  },
  METHOD_NOT_ALLOWED: { status: 405, message: 'The path does not support this method. See the Allow header.' },
  REQUEST_TIMEOUT: { status: 408, message: 'The request was not received in time. Send it again.' },
  EMAIL_ALREADY_REGISTERED: {
    status: 409,
    message: 'A user with this e-mail address already exists. Sign in or reset the password.',
  },
  USER_ALREADY_EXISTS: { status: 409, message: 'A user with this id already exists.' },
  PHONE_ALREADY_REGISTERED: { status: 409, message: 'A user with this phone number already exists.' },
  IDENTITY_LINKED_ELSEWHERE: {
    status: 409,
    message: 'This sign-in method belongs to another account. Sign in with it, or remove it from that account first.',
  },
  IDENTITY_ALREADY_LINKED: {
    status: 409,
    message: 'The account already has a sign-in method of this kind. Change it, or remove it first.',
  },
  LAST_IDENTITY: {
    status: 409,
    message: "This is the account's only sign-in method. Add another one first, or delete the account.",
  },
  LAST_OPERATOR: {
    status: 409,
    message:
      'This is the last operator who can administer operators. Give another one the scope operators:write first, for all tenants and without an expiry.',
  },
  PROFILE_SCHEMA_VERSION_EXISTS: {
    status: 409,
    message: 'This version is already published with different content. Choose a new version.',
  },
  PROFILE_CHANGED: {
    status: 412,
    message: 'The profile has another revision than If-Match names. Read it, and apply the change to what it is now.',
  },
  PRECONDITION_FAILED: {
    status: 412,
    message:
      'It has been changed since the revision that If-Match names. Read it, and apply the change to what it is now.',
  },
  PROFILE_SCHEMA_BREAKING: {
    status: 409,
    message:
      'The schema would break profiles or clients of the current one. Check it for the changes; publish it without ifBreaking=refuse to accept them.',
  },
  PROFILE_SCHEMA_BUILDING: {
    status: 409,
    message: 'Another version is being indexed. Publish again when it is current or has failed.',
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    message:
      'The request body, or the resulting profile, exceeds the size limit. Send less data, or clear profile fields.',
  },
  UNSUPPORTED_MEDIA_TYPE: {
    status: 415,
    message:
      'The content type or encoding is not supported. Send "application/json" ("application/x-ndjson" for a stream of lines) in UTF-8, without content encoding.',
  },
  OTP_METHOD_NOT_AVAILABLE: {
    status: 422,
    message:
      'No sender is configured for this delivery method. Use the other method, or contact the operator of the service.',
  },
  OTP_INVALID_CODE: {
    status: 422,
    message: 'The code is wrong. Check it and try again; the number of attempts is limited.',
  },
  OTP_MAX_ATTEMPTS_REACHED: { status: 422, message: 'Too many wrong codes. Request a new one-time password.' },
  OTP_ALREADY_VERIFIED: {
    status: 422,
    message: 'The one-time password is already verified. Continue with the next step.',
  },
  OTP_NOT_PENDING: { status: 422, message: 'The one-time password is no longer pending. Request a new one.' },
  IDEMPOTENCY_KEY_REUSED: {
    status: 422,
    message: 'This Idempotency-Key was sent with a different request. Use a new key for each operation to perform.',
  },
  MESSAGE_NOT_RETRYABLE: {
    status: 422,
    message:
      'The message cannot be retried. Only a failed message can, before it expires and while its one-time password is pending.',
  },
  PASSWORD_NOT_RESETTABLE: {
    status: 422,
    message:
      'The user has no password, or no verified e-mail address to send a code to. Replace or verify the address first.',
  },
  EMAIL_NOT_SET: {
    status: 422,
    message: 'The account has no e-mail address, which a password requires. Add one first.',
  },
  AUTH_METHOD_NOT_ENABLED: { status: 422, message: 'This sign-in method is not enabled for the tenant.' },
  HEADERS_TOO_LARGE: { status: 431, message: 'The request headers are too large.' },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service is temporarily unavailable. Try again after the time in Retry-After.',
  },
} as const satisfies Record<string, { status: number; message: string }>

/** The value of `error.code` in a response. */
export type ErrorCode = keyof typeof errors
