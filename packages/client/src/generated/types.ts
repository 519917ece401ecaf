// Generated from contract/ by packages/client/build/generate.ts (npm run generate -w @tenantry/client). Do not edit.

import type { CallOptions } from '../call-options.ts'

/** Every operation for a tenant's applications as a method. */
export interface Operations {
  /**
   * Issue a one-time password.
   *
   * Sends a new code. `otp_signin` sends it to the given `email` or `phone`. This requires `otp` in the tenant’s
   * `auth.methods` (otherwise RESTRICTED_CAPABILITY), except for e-mail under enumeration protection, where sign-up
   * requires a code. `email_verification` and `phone_verification` require an access token and verify the current
   * address of that user; the code is valid only while that session is open. TOO_MANY_REQUESTS also means that the
   * recipient was sent too many codes, or that SMS to this phone number prefix are paused.
   */
  issueOtp(body: IssueOtpBody, options?: CallOptions): Promise<IssuedOtp>

  /**
   * Verify a one-time password.
   *
   * Verifies the code. For `otp_signin` and `reset_password`, use `id` as the `token` of the next step. For
   * `email_verification` and `phone_verification`, the address is marked verified, or the new address (`POST
   * /account/email`, `POST /account/phone`) replaces the account’s, and the one-time password is consumed. The
   * session that requested the code must still be open, otherwise OTP_NOT_PENDING. If this is the account’s first
   * sign-in method (that of a guest), all sessions end and the response contains a new one in `session`: replace
   * both tokens.
   */
  verifyOtp(body: VerifyOtpBody, options?: CallOptions): Promise<VerifyOtpAnswer>

  /**
   * Resend a one-time password.
   *
   * Sends the code of a pending one-time password again, to the same recipient by the same method. Does not extend
   * its validity. A code that verifies or changes an address is rejected with OTP_NOT_PENDING after the session that
   * requested it has ended.
   */
  resendOtp(body: ResendOtpBody, options?: CallOptions): Promise<Done>

  /**
   * Read the status of a one-time password.
   *
   * Returns the state of a one-time password. A POST, because the id is a secret and must not appear in access logs.
   * Under enumeration protection, `delivery` depends on time alone: `queued` for five seconds after each send, then
   * `sent`.
   */
  getOtpStatus(body: GetOtpStatusBody, options?: CallOptions): Promise<GetOtpStatusAnswer>

  /**
   * Reset a password.
   *
   * Step `challenge` sends a one-time password to the address. Verify it with `POST /otp/verify`. Step `confirm`
   * consumes it and stores the new password. This ends all sessions of the user, cancels other pending resets and
   * address changes, resets the count of failed passwords from this network and from known networks, and sends a
   * notice to every verified address. Linked identities remain, unless this was the first verification of the
   * address.
   */
  resetPassword(body: ResetPasswordBody, options?: CallOptions): Promise<ResetPasswordAnswer>

  /**
   * Sign up with a password.
   *
   * Creates a user and a session. With enumeration protection (`security.enumerationProtection` of the tenant),
   * `token` is required: the id of a verified `otp_signin` one-time password for the address. Without it, the answer
   * is VALIDATION_ERROR with `{"token": "Required"}`: send a code with `POST /otp`, verify it with `POST
   * /otp/verify`, and sign up with its id as `token`.
   */
  signUp(body: SignUpBody, options?: CallOptions): Promise<SessionAnswer>

  /**
   * Check the profile of a sign-up.
   *
   * Tells what a sign-up would do with each of these profile fields, for example whether a nickname is taken. Fields
   * that are not sent are not required. Stores nothing. With enumeration protection, fields of type `email` and
   * `phone` are always `ok`.
   */
  checkSignUp(body: CheckSignUpBody, options?: CallOptions): Promise<CheckedFields>

  /**
   * Sign in.
   *
   * With a password: an unknown address and a wrong password get the same response in the same time. With a verified
   * one-time password, as a guest, or with a provider’s ID token: creates the user if none exists. The first
   * verification of an address that an account had only claimed transfers the account without its password, sessions
   * and identities (`firstProof`). If that account has another verified sign-in method, it loses the address
   * instead, and a new user is created. TOO_MANY_REQUESTS also means too many failed passwords for the account; a
   * password reset or a code still works.
   */
  signIn(body: SignInBody, options?: CallOptions): Promise<SessionAnswer>

  /**
   * Step up a session.
   *
   * Sensitive operations fail with FRESH_SIGN_IN_REQUIRED if the sign-in behind the access token is older than the
   * tenant allows (`security.freshSeconds`, default ten minutes). This operation authenticates the same user again
   * (with the password, a verified `otp_signin` one-time password for a verified address of the account, or an ID
   * token of a linked provider) and returns an access token of the same session with a newer `auth_time` claim. Only
   * that token is fresh: refreshing the session keeps the time of the original sign-in. The session and its refresh
   * token do not change. Wrong passwords count like those of a sign-in.
   */
  stepUp(body: StepUpBody, options?: CallOptions): Promise<StepUpAnswer>

  /**
   * Refresh a session.
   *
   * Returns a new access token and a new refresh token, and invalidates the old refresh token. For ten seconds, the
   * old one returns the same new one, for clients that lost the response; later reuse ends the session (RFC 9700
   * 4.14.2). A session ends after 30 days without use, and after 180 days at the latest. While `sign_in` is
   * restricted for the tenant or the user, refreshing fails and the session remains.
   */
  refreshSession(body: RefreshSessionBody, options?: CallOptions): Promise<SessionAnswer>

  /**
   * Sign out.
   *
   * Ends this session, all others, or all of them, effective immediately. Without a body, ends this session. Address
   * changes started by an ended session can no longer be verified.
   */
  signOut(body?: SignOutBody, options?: CallOptions): Promise<Done>

  /**
   * Read the tenant configuration.
   *
   * Returns what a client needs before a user signs in. Omits `profileSchema` if `schemaVersion` is the current
   * version. With `schemaDelta=true`, a client that holds a recent version gets `profileSchemaDelta` in its place.
   * Sends an ETag and supports If-None-Match.
   */
  getTenantConfiguration(query?: GetTenantConfigurationQuery, options?: CallOptions): Promise<PublicTenantConfiguration>

  /**
   * Read the account.
   *
   * Returns the signed-in user with all sign-in methods of the account.
   */
  getAccount(options?: CallOptions): Promise<GetAccountAnswer>

  /**
   * Delete the account.
   *
   * Deletes the signed-in user with the profile and the linked identities, and cancels unused one-time passwords.
   * Afterwards, requests with the user’s access tokens fail with TOKEN_USER_NOT_FOUND. A notice is sent to every
   * verified address. Requires a fresh sign-in.
   */
  deleteAccount(options?: CallOptions): Promise<void>

  /**
   * Read the profile.
   *
   * Returns the profile of the signed-in user with every field of the profile schema, null where unset. Before the
   * first update, `id`, `createdAt` and `updatedAt` are null too.
   */
  getProfile(options?: CallOptions): Promise<ReadProfile>

  /**
   * Update the profile.
   *
   * Creates or partially updates the profile of the signed-in user: only the given fields change, null clears a
   * field, unknown keys are ignored. With `form` and `step`, saves one step of a form. With `If-Match`, only if the
   * profile has the revision that the client read.
   */
  updateProfile(
    body: ProfileUpdate,
    options?: CallOptions & { readonly query?: UpdateProfileQuery | undefined },
  ): Promise<Profile>

  /**
   * Check an update of the profile.
   *
   * Tells what `PATCH /account/profile` with the same body would do with each field, for example whether a nickname
   * is taken. Stores nothing. Another user can take a free value in the meantime.
   */
  checkProfile(body?: ProfileUpdate, options?: CallOptions): Promise<CheckedFields>

  /**
   * Read the state of a form.
   *
   * Returns which steps of a form of the profile schema the signed-in user has completed: all required fields have a
   * value, no stored value that the user can change is one that the schema would refuse now, and the address of a
   * `verify` step is verified. A form without `steps` has one step named `form`. The state is computed from the
   * profile with each request, so a later version of the schema can reopen a form.
   */
  getFormState(
    params: {
      form: string
    },
    options?: CallOptions,
  ): Promise<FormState>

  /**
   * Change the password.
   *
   * Also sets the first password of an account that has an e-mail address. Requires a fresh sign-in if
   * `currentPassword` is omitted. Ends all other sessions, cancels pending password resets and address changes, and
   * sends a notice to every verified address. If the password is the account’s first sign-in method (that of a
   * guest), all sessions end and the response contains a new one in `session`: replace both tokens. Limited to five
   * attempts per account and hour (`password-changes`).
   */
  changePassword(body: ChangePasswordBody, options?: CallOptions): Promise<ChangePasswordAnswer>

  /**
   * Change the e-mail address.
   *
   * Sends a code to the new address. The address changes when `POST /otp/verify` with scope `email_verification`
   * verifies the code. If this session ends first, the code is rejected with OTP_NOT_PENDING. After the change, a
   * notice is sent to every previously verified address; the notice to the old address contains a code that undoes
   * the change (`POST /account/recover`). Limited to ten codes per account and hour, together with additions of
   * sign-in methods (`identity-additions`). Requires a fresh sign-in. For 72 hours after an undo, changing the
   * restored address requires a sign-in or step-up with a code to it (ADDRESS_PROOF_REQUIRED).
   */
  changeEmail(body: ChangeEmailBody, options?: CallOptions): Promise<IssuedOtp>

  /**
   * Change the phone number.
   *
   * Sends a code to the new number. The number changes when `POST /otp/verify` with scope `phone_verification`
   * verifies the code. If this session ends first, the code is rejected with OTP_NOT_PENDING. After the change, a
   * notice is sent to every previously verified address; the notice to the old number contains a code that undoes
   * the change (`POST /account/recover`). Limited to ten codes per account and hour, together with additions of
   * sign-in methods (`identity-additions`). Requires a fresh sign-in. For 72 hours after an undo, changing the
   * restored number requires a sign-in or step-up with a code to it (ADDRESS_PROOF_REQUIRED).
   */
  changePhone(body: ChangePhoneBody, options?: CallOptions): Promise<IssuedOtp>

  /**
   * List the sessions.
   *
   * Returns the open sessions of the signed-in user, most recently used first; the latest 1,000 if there are more.
   */
  listSessions(options?: CallOptions): Promise<ListSessionsAnswer>

  /**
   * End a session.
   *
   * Signs out another device of the signed-in user, or this one, effective immediately.
   */
  endSession(
    params: {
      sessionId: string
    },
    options?: CallOptions,
  ): Promise<void>

  /**
   * Add a sign-in method.
   *
   * Links a provider account by its ID token or an address by a verified `otp_signin` one-time password, or adds a
   * password. A guest becomes a full user and keeps id and profile. If this is the account’s first sign-in method,
   * all sessions end and the response contains a new one in `session`: replace both tokens. Linking an identity that
   * is already linked to this account succeeds. A notice is sent to every previously verified address. Limited to
   * ten additions per account and hour (`identity-additions`). Requires a fresh sign-in, except for guests.
   */
  addIdentity(body: AddIdentityBody, options?: CallOptions): Promise<AddIdentityAnswer>

  /**
   * Remove a sign-in method.
   *
   * The last sign-in method enabled for the tenant cannot be removed (LAST_IDENTITY). Removing the e-mail address
   * also removes the password. Where codes do not sign in, removing the password also removes an e-mail address that
   * was never verified. A notice is sent to every previously verified address; the notice to a removed address
   * contains a code that restores it (`POST /account/recover`). Requires a fresh sign-in. For 72 hours after an
   * undo, removing the restored address requires a sign-in or step-up with a code to it (ADDRESS_PROOF_REQUIRED).
   */
  removeIdentity(
    params: {
      identityId: string
    },
    options?: CallOptions,
  ): Promise<void>

  /**
   * Export the account.
   *
   * Returns all data stored about the signed-in user (GDPR art. 15 and 20), without secrets. Requires a fresh
   * sign-in.
   */
  exportAccount(options?: CallOptions): Promise<ExportAccountAnswer>

  /**
   * List the activity of the account.
   *
   * Returns what happened to the account in the last 90 days, newest first: sign-ins, refused sign-ins, sessions,
   * sign-in methods, addresses and the password, with network and browser. An event is listed once it is sealed,
   * usually within a second. Empty if the tenant records no events.
   */
  listActivity(query?: PageQueryInput, options?: CallOptions): Promise<ListActivityAnswer>

  /**
   * Undo an address change.
   *
   * When a verified e-mail address or phone number is changed or removed, the notice to it contains a code and a
   * reference, valid for 72 hours. Send the code, and the reference as `id`. The operation works once: it restores
   * the address, ends all sessions, cancels unused one-time passwords, and removes identities, the other address and
   * the password if they were added since the change. A password that was changed since then is invalidated; the
   * user must reset it. Requires no sign-in: offer both fields on the sign-in screen. For the next 72 hours,
   * changing or removing the restored address requires a code to it.
   */
  recoverAccount(body: RecoverAccountBody, options?: CallOptions): Promise<Done>

  /**
   * Read the public keys of access tokens.
   *
   * Returns a JSON Web Key Set (RFC 7517).
   */
  getJwks(options?: CallOptions): Promise<GetJwksAnswer>

  /**
   * Read the discovery document.
   *
   * An OpenID Connect Discovery 1.0 document for JWT middleware that verifies access tokens: issuer, algorithm and
   * location of the public keys. It has no authorization endpoint.
   */
  getOpenIdConfiguration(options?: CallOptions): Promise<OpenIdConfiguration>

  /**
   * Check liveness.
   *
   * Responds with 503 if the process must be restarted, because its disk failed to make a write durable.
   */
  getLiveness(options?: CallOptions): Promise<GetLivenessAnswer>

  /**
   * Check readiness.
   *
   * Responds with 503 while the process cannot serve: the database does not answer or accept writes, or shutdown has
   * begun.
   */
  getReadiness(options?: CallOptions): Promise<GetReadinessAnswer>

  /**
   * Read the OpenAPI document.
   *
   * Returns this document. It contains the limits of the deployment.
   */
  getOpenApi(options?: CallOptions): Promise<GetOpenApiAnswer>

  /**
   * Read the JSON Schema of profile schemas.
   *
   * Returns the JSON Schema (draft 7) of the body of `PUT /admin/tenants/{tenantId}/profile-schema`. An editor that
   * finds its URL under `$schema` completes and checks the file.
   */
  getProfileSchemaDocument(options?: CallOptions): Promise<GetProfileSchemaDocumentAnswer>
}

/** The body, or else the query, of each operation. */
export interface Inputs {
  issueOtp: IssueOtpBody
  verifyOtp: VerifyOtpBody
  resendOtp: ResendOtpBody
  getOtpStatus: GetOtpStatusBody
  resetPassword: ResetPasswordBody
  signUp: SignUpBody
  checkSignUp: CheckSignUpBody
  signIn: SignInBody
  stepUp: StepUpBody
  refreshSession: RefreshSessionBody
  signOut: SignOutBody
  getTenantConfiguration: GetTenantConfigurationQuery
  updateProfile: ProfileUpdate
  checkProfile: ProfileUpdate
  changePassword: ChangePasswordBody
  changeEmail: ChangeEmailBody
  changePhone: ChangePhoneBody
  addIdentity: AddIdentityBody
  listActivity: PageQueryInput
  recoverAccount: RecoverAccountBody
}

/** The answer of each operation. */
export interface Answers {
  issueOtp: IssuedOtp
  verifyOtp: VerifyOtpAnswer
  resendOtp: Done
  getOtpStatus: GetOtpStatusAnswer
  resetPassword: ResetPasswordAnswer
  signUp: SessionAnswer
  checkSignUp: CheckedFields
  signIn: SessionAnswer
  stepUp: StepUpAnswer
  refreshSession: SessionAnswer
  signOut: Done
  getTenantConfiguration: PublicTenantConfiguration
  getAccount: GetAccountAnswer
  deleteAccount: undefined
  getProfile: ReadProfile
  updateProfile: Profile
  checkProfile: CheckedFields
  getFormState: FormState
  changePassword: ChangePasswordAnswer
  changeEmail: IssuedOtp
  changePhone: IssuedOtp
  listSessions: ListSessionsAnswer
  endSession: undefined
  addIdentity: AddIdentityAnswer
  removeIdentity: undefined
  exportAccount: ExportAccountAnswer
  listActivity: ListActivityAnswer
  recoverAccount: Done
  getJwks: GetJwksAnswer
  getOpenIdConfiguration: OpenIdConfiguration
  getLiveness: GetLivenessAnswer
  getReadiness: GetReadinessAnswer
  getOpenApi: GetOpenApiAnswer
  getProfileSchemaDocument: GetProfileSchemaDocumentAnswer
}

/** Identifies an error of the service. */
export type ErrorCode =
  | 'VALIDATION_ERROR'
  | 'MISSING_USER_TOKEN'
  | 'INVALID_USER_TOKEN'
  | 'TOKEN_USER_NOT_FOUND'
  | 'RESTRICTED_CAPABILITY'
  | 'OTP_NOT_FOUND'
  | 'RESET_PASSWORD_USER_NOT_FOUND'
  | 'OTP_RESEND_INTERVAL_NOT_EXPIRED'
  | 'OTP_MAX_RESENDS_REACHED'
  | 'OTP_NOT_CONSUMABLE'
  | 'OTP_ALREADY_CONSUMED'
  | 'TOO_MANY_REQUESTS'
  | 'TENANT_NOT_CONFIGURED'
  | 'UNEXPECTED_STATE'
  | 'EVENT_LOG_DAMAGED'
  | 'OTP_CONSUME_CALLBACK_ERROR'
  | 'INTERNAL_SERVER'
  | 'MISSING_TENANT_KEY'
  | 'INVALID_TENANT_KEY'
  | 'TENANT_SUSPENDED'
  | 'MISSING_ADMIN_KEY'
  | 'INVALID_ADMIN_KEY'
  | 'FOREIGN_ORIGIN'
  | 'INVALID_CREDENTIALS'
  | 'INVALID_SOCIAL_TOKEN'
  | 'INVALID_REFRESH_TOKEN'
  | 'INSUFFICIENT_SCOPE'
  | 'FRESH_SIGN_IN_REQUIRED'
  | 'ADDRESS_PROOF_REQUIRED'
  | 'BAD_REQUEST'
  | 'NOT_FOUND'
  | 'TENANT_NOT_FOUND'
  | 'TENANT_KEY_NOT_FOUND'
  | 'USER_NOT_FOUND'
  | 'SESSION_NOT_FOUND'
  | 'IDENTITY_NOT_FOUND'
  | 'OPERATOR_NOT_FOUND'
  | 'MESSAGE_NOT_FOUND'
  | 'FORM_NOT_FOUND'
  | 'PROFILE_SCHEMA_VERSION_NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'EMAIL_ALREADY_REGISTERED'
  | 'USER_ALREADY_EXISTS'
  | 'PHONE_ALREADY_REGISTERED'
  | 'IDENTITY_LINKED_ELSEWHERE'
  | 'IDENTITY_ALREADY_LINKED'
  | 'LAST_IDENTITY'
  | 'LAST_OPERATOR'
  | 'PROFILE_SCHEMA_VERSION_EXISTS'
  | 'PROFILE_CHANGED'
  | 'PRECONDITION_FAILED'
  | 'PROFILE_SCHEMA_BREAKING'
  | 'PROFILE_SCHEMA_BUILDING'
  | 'PAYLOAD_TOO_LARGE'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'OTP_METHOD_NOT_AVAILABLE'
  | 'OTP_INVALID_CODE'
  | 'OTP_MAX_ATTEMPTS_REACHED'
  | 'OTP_ALREADY_VERIFIED'
  | 'OTP_NOT_PENDING'
  | 'IDEMPOTENCY_KEY_REUSED'
  | 'MESSAGE_NOT_RETRYABLE'
  | 'PASSWORD_NOT_RESETTABLE'
  | 'EMAIL_NOT_SET'
  | 'AUTH_METHOD_NOT_ENABLED'
  | 'HEADERS_TOO_LARGE'
  | 'SERVICE_UNAVAILABLE'

export interface IssueOtpBody {
  scope: 'email_verification' | 'phone_verification' | 'otp_signin'
  email?: string | undefined
  /** International format (E.164), such as +33612345678. */
  phone?: string | undefined
  locale?: string | undefined
}

/** The response to issuing a one-time password; `id` identifies it in all later requests. */
export interface IssuedOtp {
  id: string
  createdAt: string
  expiresAt: string
  resendIntervalSeconds: number
}

/** The purpose of a one-time password. */
export type OtpScope = 'email_verification' | 'phone_verification' | 'reset_password' | 'otp_signin'

export interface VerifyOtpBody {
  id: string
  scope: OtpScope
  code: string
}

export interface SessionAnswer {
  accessToken: string
  tokenType: 'Bearer'
  expiresIn: number
  refreshToken: string
  user: User
  isNewUser: boolean
  /**
   * Present if this sign-in is the first verification of an address that the account had only claimed. All sign-in
   * methods added before were removed, and write-once profile fields that were set before can be corrected.
   */
  firstProof?: true | undefined
  /**
   * The form with `prompt` that the user has not completed yet; null when there is nothing to ask for. Present only
   * if a form of the profile schema has `prompt`.
   */
  nextForm?: NextForm | undefined
}

/** The signed-in user as the client sees it. */
export interface User {
  id: string
  guest: boolean
  /** The sign-in methods of the user. They work if the tenant enables them. */
  methods: AuthMethod[]
  email: string | null
  emailVerified: boolean
  phone: string | null
  phoneVerified: boolean
  createdAt: string
}

/** Sign-in methods that a tenant can enable. */
export type AuthMethod = 'password' | 'otp' | 'guest' | 'google' | 'apple' | 'facebook'

/**
 * The form with `prompt` that the user has not completed yet; null when there is nothing to ask for. Present only
 * if a form of the profile schema has `prompt`.
 */
export type NextForm = string | null

export interface VerifyOtpAnswer {
  success: true
  /** Present if this was the account’s first sign-in method. Replace both tokens. */
  session?: SessionAnswer | undefined
}

export interface ResendOtpBody {
  id: string
  scope: OtpScope
}

/** `{success: true}`, the response of operations that return no data. */
export interface Done {
  success: true
}

export interface GetOtpStatusBody {
  id: string
  scope: OtpScope
}

/** The state of a one-time password; `expired` follows from the time and is never stored. */
export type OtpState = 'pending' | 'verified' | 'consumed' | 'locked' | 'cancelled' | 'expired'

/** How a code is delivered; a resend uses the original method. */
export type DeliveryMethod = 'email' | 'sms'

/** The state of the latest message of a one-time password. */
export type DeliveryState = 'queued' | 'sent' | 'failed'

export interface GetOtpStatusAnswer {
  id: string
  scope: OtpScope
  state: OtpState
  createdAt: string
  expiresAt: string
  /** null if no further resend is possible. */
  nextResendAt: string | null
  resendsRemaining: number
  attemptsRemaining: number
  deliveryMethod: DeliveryMethod
  /** Masked address of the recipient. */
  recipient: string
  delivery: DeliveryState
}

export type ResetPasswordBody =
  | {
      step: 'challenge'
      email: string
      locale?: string | undefined
    }
  | {
      step: 'confirm'
      token: string
      password: string
    }

export type ResetPasswordAnswer = IssuedOtp | Done

/** Fields of the tenant's profile schema, which validates them. */
export type ProfileUpdate = Record<string, unknown>

export interface SignUpBody {
  method: 'password'
  email: string
  password: string
  profile?: ProfileUpdate | undefined
  token?: string | undefined
}

export interface CheckSignUpBody {
  profile: ProfileUpdate
}

/** The fields of an update, and others that it would be refused for. */
export interface CheckedFields {
  fields: Record<string, FieldState>
}

/**
 * ok: it would be stored. invalid: the update would be refused because of it. taken: another user has the value of
 * a unique field. ignored: unknown, hidden or not writable.
 */
export type FieldState = 'ok' | 'invalid' | 'taken' | 'ignored'

/** Sign-in methods by an ID token of an identity provider (OpenID Connect). */
export type SocialProvider = 'google' | 'apple' | 'facebook'

export type SignInBody =
  | {
      method: 'password'
      email: string
      password: string
      /** `true`: ends all other sessions of the user with the sign-in, so that none of them can end the new one first. */
      endOtherSessions?: boolean | undefined
    }
  | {
      method: 'otp'
      token: string
      /** `true`: ends all other sessions of the user with the sign-in, so that none of them can end the new one first. */
      endOtherSessions?: boolean | undefined
    }
  | {
      method: 'guest'
    }
  | {
      method: SocialProvider
      /** Accepted once. Get a new one from the provider for each request. */
      idToken: string
      /** The raw nonce; the token contains its SHA-256. Required if the token has a nonce. */
      nonce?: string | undefined
      /** `true`: ends all other sessions of the user with the sign-in, so that none of them can end the new one first. */
      endOtherSessions?: boolean | undefined
    }

/** The id of a verified `otp_signin` one-time password, which proves the address it was sent to. */
export interface OtpProof {
  method: 'otp'
  token: string
}

/** The ID token that the provider's SDK returns to the client application (OpenID Connect Core 2). Accepted once. */
export interface SocialProof {
  method: SocialProvider
  /** Accepted once. Get a new one from the provider for each request. */
  idToken: string
  /** The raw nonce; the token contains its SHA-256. Required if the token has a nonce. */
  nonce?: string | undefined
}

export type StepUpBody =
  | {
      method: 'password'
      password: string
    }
  | OtpProof
  | SocialProof

export interface StepUpAnswer {
  accessToken: string
  tokenType: 'Bearer'
  expiresIn: number
  /** The access token counts as fresh until this time. */
  freshUntil: string
}

export interface RefreshSessionBody {
  refreshToken: string
}

export interface SignOutBody {
  scope?: 'this' | 'others' | 'all' | undefined
}

export interface GetTenantConfigurationQuery {
  /** The version of the profile schema that the client holds. */
  schemaVersion?: string | undefined
  /**
   * `true`: if `schemaVersion` is one of the last 20 versions, `profileSchemaDelta` replaces `profileSchema`, unless
   * it has 60 % of the size or more.
   */
  schemaDelta?: string | undefined
  /**
   * A BCP 47 language tag: each text of the profile schema is one string, in this language, the next more general
   * one (`fr-CA`, `fr`) or the default.
   */
  locale?: string | undefined
}

/** The configuration as clients see it: an open object with one key per module. */
export interface PublicTenantConfiguration {
  auth: {
    methods: AuthMethod[]
  }
  otp: {
    length: number
  }
  upload?:
    | {
        allowedTypes: string[]
        maxSize: number
      }
    | undefined
  profileSchema?: ProfileSchema | undefined
  profileSchemaDelta?: ProfileSchemaDelta | undefined
  [field: string]: unknown
}

/** The schema in `GET /tenant-configuration`; published versions are immutable. */
export interface ProfileSchema {
  version: string
  components: ProfileComponent[]
  presentation: PresentationSection[]
  forms: Record<string, ProfileForm>
}

/** One field of the profile, by its type. */
export type ProfileComponent =
  | {
      type: 'text'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            minLength?: number | undefined
            maxLength?: number | undefined
            pattern?: string | undefined
          }
        | undefined
      /** true: no two users of the tenant have the same value */
      unique?: boolean | undefined
      /** exact: letter case distinguishes values. Default: folded. */
      uniqueBy?: 'folded' | 'exact' | undefined
      /** true: the operator can search users by this field */
      searchable?: boolean | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'multiline'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            minLength?: number | undefined
            maxLength?: number | undefined
            pattern?: string | undefined
          }
        | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'email'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            domains?: string[] | undefined
          }
        | undefined
      /** true: no two users of the tenant have the same value */
      unique?: boolean | undefined
      /** exact: letter case distinguishes values. Default: folded. */
      uniqueBy?: 'folded' | 'exact' | undefined
      /** true: the operator can search users by this field */
      searchable?: boolean | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'phone'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            countries?: string[] | undefined
          }
        | undefined
      /** true: no two users of the tenant have the same value */
      unique?: boolean | undefined
      /** exact: letter case distinguishes values. Default: folded. */
      uniqueBy?: 'folded' | 'exact' | undefined
      /** true: the operator can search users by this field */
      searchable?: boolean | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'url'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            domains?: string[] | undefined
          }
        | undefined
      /** true: no two users of the tenant have the same value */
      unique?: boolean | undefined
      /** exact: letter case distinguishes values. Default: folded. */
      uniqueBy?: 'folded' | 'exact' | undefined
      /** true: the operator can search users by this field */
      searchable?: boolean | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'number'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            min?: number | undefined
            max?: number | undefined
            step?: number | undefined
          }
        | undefined
      /** true: the operator can search users by this field */
      searchable?: boolean | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'integer'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            min?: number | undefined
            max?: number | undefined
            step?: number | undefined
          }
        | undefined
      /** true: no two users of the tenant have the same value */
      unique?: boolean | undefined
      /** exact: letter case distinguishes values. Default: folded. */
      uniqueBy?: 'folded' | 'exact' | undefined
      /** true: the operator can search users by this field */
      searchable?: boolean | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'boolean'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            mustBeTrue?: boolean | undefined
          }
        | undefined
      /** true: the operator can search users by this field */
      searchable?: boolean | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'date'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            min?: string | undefined
            max?: string | undefined
            minAge?: number | undefined
            maxAge?: number | undefined
          }
        | undefined
      /** true: the operator can search users by this field */
      searchable?: boolean | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'datetime'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            min?: string | undefined
            max?: string | undefined
          }
        | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'time'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            min?: string | undefined
            max?: string | undefined
          }
        | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'select'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?: Record<never, never> | undefined
      options: ComponentOption[]
      /** true: no two users of the tenant have the same value */
      unique?: boolean | undefined
      /** exact: letter case distinguishes values. Default: folded. */
      uniqueBy?: 'folded' | 'exact' | undefined
      /** true: the operator can search users by this field */
      searchable?: boolean | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'multiselect'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            minItems?: number | undefined
            maxItems?: number | undefined
          }
        | undefined
      options: ComponentOption[]
      /** true: the operator can search users by this field */
      searchable?: boolean | undefined
    }
  | {
      type: 'list'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            minItems?: number | undefined
            maxItems?: number | undefined
            itemMinLength?: number | undefined
            itemMaxLength?: number | undefined
            pattern?: string | undefined
            unique?: boolean | undefined
            items?: 'text' | 'email' | 'phone' | 'url' | 'date' | undefined
          }
        | undefined
    }
  | {
      type: 'month'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            min?: string | undefined
            max?: string | undefined
          }
        | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'week'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            min?: string | undefined
            max?: string | undefined
          }
        | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'country'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            in?: string[] | undefined
          }
        | undefined
      /** true: the operator can search users by this field */
      searchable?: boolean | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'language'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            in?: string[] | undefined
          }
        | undefined
      /** true: the operator can search users by this field */
      searchable?: boolean | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'currency'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            in?: string[] | undefined
          }
        | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'timezone'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            in?: string[] | undefined
          }
        | undefined
      /** true: access tokens contain the value as `profile.<name>` */
      claim?: boolean | undefined
      /** true: the user may write a field that is a claim */
      claimFromUser?: boolean | undefined
    }
  | {
      type: 'name'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            parts?: string[] | undefined
            requiredParts?: string[] | undefined
            maxLength?: number | undefined
          }
        | undefined
    }
  | {
      type: 'address'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            parts?: string[] | undefined
            requiredParts?: string[] | undefined
            countries?: string[] | undefined
          }
        | undefined
    }
  | {
      type: 'consent'
      /** Field name: ^[a-z][A-Za-z0-9_]{0,63}$, except reserved names */
      name: string
      label?: LocalizedText | undefined
      description?: LocalizedText | undefined
      placeholder?: LocalizedText | undefined
      /** How to show the field; a hint without effect on rules. */
      control?: ComponentControl | undefined
      /** What a client shows when a rule is violated, by the rule of `error.details`. */
      messages?: Record<string, LocalizedText> | undefined
      /** true: null is rejected, so a value that is set cannot be cleared */
      required?: boolean | undefined
      /** false: only the operator can set the field; values from clients are ignored */
      writable?: boolean | undefined
      /** true: clients cannot change the value once it is set */
      writeOnce?: boolean | undefined
      /** false: the user reads null. With `writable: false` the field is the operator’s own note. */
      readable?: boolean | undefined
      /** true: never in events, webhooks or logs; in exports of users only with `sensitive=true` */
      sensitive?: boolean | undefined
      /** While it holds on the stored profile, clients cannot change the field. */
      lockedWhen?: Condition | undefined
      /** While it does not hold, the field does not exist: its value is cleared. */
      visibleWhen?: Condition | undefined
      /** While it holds, the field must have a value. */
      requiredWhen?: Condition | undefined
      rules?:
        | {
            version?: string | undefined
            mustBeTrue?: boolean | undefined
          }
        | undefined
    }

/** A text for users: one string, or one per BCP 47 language tag with `default` for all others. */
export type LocalizedText =
  | string
  | {
      default: string
      [field: string]: string
    }

/** How a client may show a field. A hint: it changes no rule. */
export type ComponentControl =
  | 'dropdown'
  | 'radio'
  | 'checkboxes'
  | 'switch'
  | 'range'
  | 'stars'
  | 'textarea'
  | 'hidden'
  | 'avatar'

export type Condition =
  | FieldCondition
  | {
      all: Condition[]
    }
  | {
      any: Condition[]
    }
  | {
      not: Condition
    }

/**
 * A comparison of one field: exactly one of `is`, `isNot`, `in`, `notIn`, `set`, or `min` and `max`. A field that
 * is unset or hidden is null: only `isNot`, `notIn` and `set: false` hold for it.
 */
export interface FieldCondition {
  /** The name of another component. */
  field: string
  is?: string | number | boolean | undefined
  isNot?: string | number | boolean | undefined
  in?: (string | number | boolean)[] | undefined
  notIn?: (string | number | boolean)[] | undefined
  set?: boolean | undefined
  min?: number | string | undefined
  max?: number | string | undefined
}

/** One choice of a `select` or `multiselect`: the stored value and the displayed label. */
export interface ComponentOption {
  value: string
  label?: LocalizedText | undefined
  /** The option can be chosen only while this holds. */
  when?: Condition | undefined
}

/** A group of fields on the profile page. */
export interface PresentationSection {
  section: string
  title?: LocalizedText | undefined
  description?: LocalizedText | undefined
  fields: string[]
}

/** A form, such as `signUp`: either `fields` with the required ones, or `steps`. */
export interface ProfileForm {
  title?: LocalizedText | undefined
  description?: LocalizedText | undefined
  fields?: string[] | undefined
  required?: string[] | undefined
  steps?: FormStep[] | undefined
  /** Session answers name this form in `nextForm` until it is complete. One form of a schema. */
  prompt?: 'signIn' | undefined
  /** Days until an incomplete form is named again after a sign-in. Default: 0, every time. */
  promptAgainDays?: number | undefined
}

/** One step of a form: fields to fill in, or an address to verify. */
export interface FormStep {
  step: string
  title?: LocalizedText | undefined
  description?: LocalizedText | undefined
  fields?: string[] | undefined
  required?: string[] | undefined
  /** The step is complete when the address of the account is verified. Excludes `fields`. */
  verify?: 'email' | 'phone' | undefined
  /** While it does not hold, the step is skipped. */
  visibleWhen?: Condition | undefined
}

/** What changed between two versions of a profile schema; `applyProfileSchemaDelta` applies it. */
export interface ProfileSchemaDelta {
  /** The version that the client holds. */
  from: string
  /** The current version. */
  to: string
  components: {
    /** New and changed components, whole. */
    set: ProfileComponent[]
    /** Names of components that no longer exist. */
    remove: string[]
    /**
     * The names of all components in order; null: changed components keep their places, new ones follow in the order
     * of `set`.
     */
    order: string[] | null
  }
  /** null: unchanged. */
  presentation: PresentationSection[] | null
  forms: {
    /** New and changed forms, whole. */
    set: Record<string, ProfileForm>
    /** Names of forms that no longer exist. */
    remove: string[]
  }
}

/** One sign-in method of an account: a password, a verified address, or a provider account. */
export interface Identity {
  /**
   * `password`, `email`, `phone`, or the id of a linked provider account; the id for `DELETE
   * /account/identities/{id}`.
   */
  id: string
  method: AuthMethod
  /** The address used to sign in, or the address from the provider. */
  email: string | null
  phone: string | null
  /** When the address was verified or the account was linked; null for a password. */
  createdAt: string | null
}

export interface GetAccountAnswer {
  id: string
  guest: boolean
  /** The sign-in methods of the user. They work if the tenant enables them. */
  methods: AuthMethod[]
  email: string | null
  emailVerified: boolean
  phone: string | null
  phoneVerified: boolean
  createdAt: string
  identities: Identity[]
  /**
   * The form with `prompt` that the user has not completed yet; null when there is nothing to ask for. Present only
   * if a form of the profile schema has `prompt`.
   */
  nextForm?: NextForm | undefined
}

/** A profile as it is read: before the first update, `id`, both times and every field are null. */
export interface ReadProfile {
  id: string | null
  /** null before the first update. */
  createdAt: string | null
  updatedAt: string | null
  [field: string]: unknown
}

export interface UpdateProfileQuery {
  /** A form of the profile schema; requires `step`. */
  form?: string | undefined
  /**
   * A step of the form; `form` for a form without steps. Fields outside the step are ignored, and its required
   * fields must have a value.
   */
  step?: string | undefined
}

/** A profile: three fixed fields, and every field of the tenant's profile schema, null where unset. */
export interface Profile {
  id: string
  createdAt: string
  updatedAt: string
  [field: string]: unknown
}

/** How far the signed-in user has completed a form. */
export interface FormState {
  form: string
  complete: boolean
  /** The first step that is not complete; null when the form is. */
  nextStep: string | null
  steps: {
    step: string
    complete: boolean
    /** Fields that the step requires and that have no value. */
    missing: string[]
    /** Fields with a stored value that the profile schema no longer accepts. */
    invalid: string[]
  }[]
}

export interface ChangePasswordBody {
  currentPassword?: string | undefined
  password: string
}

export interface ChangePasswordAnswer {
  success: true
  /** Present if this was the account’s first sign-in method. Replace both tokens. */
  session?: SessionAnswer | undefined
}

export interface ChangeEmailBody {
  email: string
  locale?: string | undefined
}

export interface ChangePhoneBody {
  /** International format (E.164), such as +33612345678. */
  phone: string
  locale?: string | undefined
}

/** A session as its user sees it: enough to recognise the device, not to locate it. */
export interface OpenSession {
  id: string
  /** Whether this request belongs to the session. */
  current: boolean
  userAgent: string | null
  /** The network of the last use: IPv4 /24 or IPv6 /48. */
  network: string
  createdAt: string
  /** The last sign-in or refresh. */
  lastUsedAt: string
  /** When the session ends unless it is refreshed first. */
  expiresAt: string
}

export interface ListSessionsAnswer {
  sessions: OpenSession[]
}

export type AddIdentityBody =
  | {
      method: 'password'
      password: string
      /** Required if the account has none. */
      email?: string | undefined
    }
  | OtpProof
  | SocialProof

export interface AddIdentityAnswer {
  id: string
  guest: boolean
  /** The sign-in methods of the user. They work if the tenant enables them. */
  methods: AuthMethod[]
  email: string | null
  emailVerified: boolean
  phone: string | null
  phoneVerified: boolean
  createdAt: string
  identities: Identity[]
  /** Present if this was the account’s first sign-in method. Replace both tokens. */
  session?: SessionAnswer | undefined
}

export type UserCapability = 'profile_update' | 'sign_in' | 'upload'

/** A restricted capability of a user, with reason and end. */
export interface Restriction {
  capability: UserCapability
  /** The reason, for the operator. Included in the user’s export. */
  reason: string | null
  /** When it ends automatically; null for never. */
  until: string | null
}

/** The suspension of a user, with reason and end. */
export interface Suspension {
  /** The reason, for the operator. Included in the user’s export. */
  reason: string | null
  /** When it ends automatically; null for never. */
  until: string | null
}

/** An event as the user sees it that it is about. */
export interface Activity {
  id: string
  type:
    | 'user.created'
    | 'user.updated'
    | 'user.deleted'
    | 'user.suspended'
    | 'user.restored'
    | 'user.restricted'
    | 'user.unrestricted'
    | 'user.email_changed'
    | 'user.phone_changed'
    | 'user.email_verified'
    | 'user.phone_verified'
    | 'user.password_changed'
    | 'session.created'
    | 'session.refreshed'
    | 'session.ended'
    | 'session.reuse_detected'
    | 'sign_in.succeeded'
    | 'sign_in.refused'
    | 'step_up.succeeded'
    | 'step_up.refused'
    | 'recovery.started'
    | 'recovery.completed'
    | 'identity.added'
    | 'identity.removed'
    | 'identity.linked_by_address'
    | 'otp.created'
    | 'otp.resent'
    | 'otp.verified'
    | 'otp.wrong_code'
    | 'otp.locked'
    | 'otp.consumed'
    | 'password_reset.requested'
    | 'password_reset.completed'
    | 'profile.created'
    | 'profile.updated'
    | 'profile_schema.published'
    | 'profile_schema.built'
    | 'profile_schema.failed'
    | 'message.failed'
    | 'message.tested'
    | 'message.retried'
    | 'tenant.updated'
    | 'tenant.suspended'
    | 'tenant.restored'
    | 'tenant_key.created'
    | 'tenant_key.rotated'
    | 'tenant_key.revoked'
    | 'configuration.changed'
    | 'users.export_started'
    | 'users.exported'
    | 'users.import_started'
    | 'users.imported'
    | 'codes.read'
    | 'codes.cleared'
    | 'events.exported'
    | 'limit.exceeded'
    | 'tenant.created'
    | 'tenant.deleted'
    | 'operator.created'
    | 'operator.updated'
    | 'operator.rotated'
    | 'operator.revoked'
    | 'operator.signed_in'
    | 'operator.refused'
    | 'signing_key.rotated'
    | 'signing_key.withdrawn'
  /** When it happened. The order of a log is that of sealing. */
  at: string
  outcome: 'done' | 'refused'
  /** The error code of a refusal. */
  code?:
    | 'VALIDATION_ERROR'
    | 'MISSING_USER_TOKEN'
    | 'INVALID_USER_TOKEN'
    | 'TOKEN_USER_NOT_FOUND'
    | 'RESTRICTED_CAPABILITY'
    | 'OTP_NOT_FOUND'
    | 'RESET_PASSWORD_USER_NOT_FOUND'
    | 'OTP_RESEND_INTERVAL_NOT_EXPIRED'
    | 'OTP_MAX_RESENDS_REACHED'
    | 'OTP_NOT_CONSUMABLE'
    | 'OTP_ALREADY_CONSUMED'
    | 'TOO_MANY_REQUESTS'
    | 'TENANT_NOT_CONFIGURED'
    | 'UNEXPECTED_STATE'
    | 'EVENT_LOG_DAMAGED'
    | 'OTP_CONSUME_CALLBACK_ERROR'
    | 'INTERNAL_SERVER'
    | 'MISSING_TENANT_KEY'
    | 'INVALID_TENANT_KEY'
    | 'TENANT_SUSPENDED'
    | 'MISSING_ADMIN_KEY'
    | 'INVALID_ADMIN_KEY'
    | 'FOREIGN_ORIGIN'
    | 'INVALID_CREDENTIALS'
    | 'INVALID_SOCIAL_TOKEN'
    | 'INVALID_REFRESH_TOKEN'
    | 'INSUFFICIENT_SCOPE'
    | 'FRESH_SIGN_IN_REQUIRED'
    | 'ADDRESS_PROOF_REQUIRED'
    | 'BAD_REQUEST'
    | 'NOT_FOUND'
    | 'TENANT_NOT_FOUND'
    | 'TENANT_KEY_NOT_FOUND'
    | 'USER_NOT_FOUND'
    | 'SESSION_NOT_FOUND'
    | 'IDENTITY_NOT_FOUND'
    | 'OPERATOR_NOT_FOUND'
    | 'MESSAGE_NOT_FOUND'
    | 'FORM_NOT_FOUND'
    | 'PROFILE_SCHEMA_VERSION_NOT_FOUND'
    | 'METHOD_NOT_ALLOWED'
    | 'REQUEST_TIMEOUT'
    | 'EMAIL_ALREADY_REGISTERED'
    | 'USER_ALREADY_EXISTS'
    | 'PHONE_ALREADY_REGISTERED'
    | 'IDENTITY_LINKED_ELSEWHERE'
    | 'IDENTITY_ALREADY_LINKED'
    | 'LAST_IDENTITY'
    | 'LAST_OPERATOR'
    | 'PROFILE_SCHEMA_VERSION_EXISTS'
    | 'PROFILE_CHANGED'
    | 'PRECONDITION_FAILED'
    | 'PROFILE_SCHEMA_BREAKING'
    | 'PROFILE_SCHEMA_BUILDING'
    | 'PAYLOAD_TOO_LARGE'
    | 'UNSUPPORTED_MEDIA_TYPE'
    | 'OTP_METHOD_NOT_AVAILABLE'
    | 'OTP_INVALID_CODE'
    | 'OTP_MAX_ATTEMPTS_REACHED'
    | 'OTP_ALREADY_VERIFIED'
    | 'OTP_NOT_PENDING'
    | 'IDEMPOTENCY_KEY_REUSED'
    | 'MESSAGE_NOT_RETRYABLE'
    | 'PASSWORD_NOT_RESETTABLE'
    | 'EMAIL_NOT_SET'
    | 'AUTH_METHOD_NOT_ENABLED'
    | 'HEADERS_TOO_LARGE'
    | 'SERVICE_UNAVAILABLE'
    | undefined
  details?: Record<string, unknown> | undefined
  changes?:
    | Record<
        string,
        {
          before?: unknown | undefined
          after?: unknown | undefined
        }
      >
    | undefined
  actor: {
    /** `user`: this user. `tenantKey`: the application, before the user was signed in. Others are not named. */
    kind: 'user' | 'operator' | 'tenantKey' | 'anonymous' | 'system'
    session?: string | undefined
  }
  /** Both null for acts of operators and of the system. */
  where: {
    /** The network of the client: the first 24 bits of an IPv4 address, 48 of IPv6. */
    network: string | null
    /** Browser and system, such as `Chrome 142 on macOS`. */
    userAgent: string | null
  }
}

export interface ExportAccountAnswer {
  exportedAt: string
  user: {
    id: string
    guest: boolean
    /** The sign-in methods of the user. They work if the tenant enables them. */
    methods: AuthMethod[]
    email: string | null
    emailVerified: boolean
    phone: string | null
    phoneVerified: boolean
    createdAt: string
    /** Capabilities that are restricted now; `restrictions` also lists expired ones. */
    restrictedCapabilities: UserCapability[]
    restrictions: Restriction[]
    suspension: Suspension | null
    /** The last sign-in or refresh. */
    lastActiveAt: string
    updatedAt: string
    emailVerifiedAt: string | null
    phoneVerifiedAt: string | null
    /** When the password was last set or reset; null if never since sign-up. */
    passwordChangedAt: string | null
    /** One-time passwords to sign in that were requested before are refused; null if all are accepted. */
    codesValidFrom: string | null
    /** When a sign-in last named a form to complete; absent if none has. */
    formPromptedAt?: string | undefined
  }
  identities: {
    /**
     * `password`, `email`, `phone`, or the id of a linked provider account; the id for `DELETE
     * /account/identities/{id}`.
     */
    id: string
    method: AuthMethod
    /** The address used to sign in, or the address from the provider. */
    email: string | null
    phone: string | null
    /** When the address was verified or the account was linked; null for a password. */
    createdAt: string | null
    /** The id of the account at the provider. */
    subject: string | null
  }[]
  profile: Profile | null
  /**
   * Stored values that the profile does not show: of removed fields, until they are erased, and of fields whose type
   * has changed or that are hidden.
   */
  archived: Record<string, unknown>
  sessions: {
    id: string
    /** Whether this request belongs to the session. */
    current: boolean
    userAgent: string | null
    /** The network of the last use: IPv4 /24 or IPv6 /48. */
    network: string
    createdAt: string
    /** The last sign-in or refresh. */
    lastUsedAt: string
    /** When the session ends unless it is refreshed first. */
    expiresAt: string
    /** How the user signed in (RFC 8176). */
    amr: string[]
    /** null while the session is open. */
    endedAt: string | null
  }[]
  otps: {
    id: string
    scope: OtpScope
    state: OtpState
    deliveryMethod: DeliveryMethod
    recipient: string
    createdAt: string
    expiresAt: string
  }[]
  messages: {
    id: string
    kind: string
    deliveryMethod: DeliveryMethod
    recipient: string
    state: string
    createdAt: string
  }[]
  /** What happened to the account, newest first, as in `GET /account/activity`. */
  activity: Activity[]
}

/** Query parameters of a list. `nextCursor` of one page is the `cursor` of the next. */
export interface PageQueryInput {
  /** Items per page. Default: 50. */
  limit?: number | string | undefined
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined
}

export interface ListActivityAnswer {
  items: Activity[]
  nextCursor: string | null
}

export interface RecoverAccountBody {
  /** The reference in the notice. */
  id: string
  code: string
}

export interface GetJwksAnswer {
  keys: {
    kty: 'EC'
    crv: 'P-256'
    x: string
    y: string
    kid: string
    alg: 'ES256'
    use: 'sig'
  }[]
}

/**
 * The parts of OpenID Connect Discovery 1.0 that apply here. There is no authorization endpoint; providers without
 * one, such as Kubernetes, give `id_token` as the required response type.
 */
export interface OpenIdConfiguration {
  /** The `iss` claim of every access token. */
  issuer: string
  jwks_uri: string
  id_token_signing_alg_values_supported: 'ES256'[]
  response_types_supported: 'id_token'[]
  subject_types_supported: 'public'[]
}

export interface GetLivenessAnswer {
  status: 'ok'
}

export interface GetReadinessAnswer {
  status: 'ok'
}

export interface GetOpenApiAnswer {
  openapi: '3.1.0'
  [field: string]: unknown
}

export interface GetProfileSchemaDocumentAnswer {
  title: string
  [field: string]: unknown
}
