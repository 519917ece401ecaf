// Generated from contract/ by packages/client/build/generate.ts (npm run generate -w @tenantry/client). Do not edit.

import type { CallOptions } from '../call-options.ts'
import type { Lines } from '../lines-source.ts'
import type {
  AuthMethod,
  DeliveryMethod,
  Identity,
  OtpScope,
  PageQueryInput,
  PresentationSection,
  Profile,
  ProfileComponent,
  ProfileForm,
  ProfileUpdate,
  ReadProfile,
  Restriction,
  SocialProvider,
  Suspension,
  UserCapability,
} from './types.ts'

/** Every operation of the operator as a method. */
export interface AdminOperations {
  /**
   * Create a tenant.
   *
   * Creates a tenant with default `auth` and `otp` modules and an empty profile schema of version "1".
   */
  createTenant(body: CreateTenantBody, options?: CallOptions): Promise<Tenant>

  /**
   * List tenants.
   *
   * Returns the tenants, except deleted ones, and how many users each has. An operator bound to tenants sees only
   * those.
   */
  listTenants(query?: ListTenantsQuery, options?: CallOptions): Promise<ListTenantsAnswer>

  /**
   * Read a tenant.
   *
   * Returns the name of the tenant and its restrictions. Its settings are in the configuration.
   */
  getTenant(
    params: {
      tenantId: string
    },
    options?: CallOptions,
  ): Promise<Tenant>

  /**
   * Update a tenant.
   *
   * Changes only the given members. Requests of a suspended tenant fail with TENANT_SUSPENDED, effective
   * immediately; a restricted capability fails with RESTRICTED_CAPABILITY.
   */
  updateTenant(
    params: {
      tenantId: string
    },
    body: UpdateTenantBody,
    options?: CallOptions,
  ): Promise<Tenant>

  /**
   * Delete a tenant.
   *
   * Its keys are revoked immediately. Its data is deleted in the background, starting five minutes later.
   */
  deleteTenant(
    params: {
      tenantId: string
    },
    options?: CallOptions,
  ): Promise<void>

  /**
   * Read the configuration.
   *
   * Returns all modules as stored, including those that are never public.
   */
  readConfiguration(
    params: {
      tenantId: string
    },
    options?: CallOptions,
  ): Promise<TenantModules>

  /**
   * Replace the configuration.
   *
   * Replaces all modules. Module names that are reserved for later versions are rejected.
   */
  replaceConfiguration(
    params: {
      tenantId: string
    },
    body: NewTenantModulesInput,
    options?: CallOptions,
  ): Promise<TenantModules>

  /**
   * Update the configuration.
   *
   * Applies a JSON merge patch (RFC 7396): objects are merged, null removes a key.
   */
  updateConfiguration(
    params: {
      tenantId: string
    },
    body: TenantModulesPatch,
    options?: CallOptions,
  ): Promise<TenantModules>

  /**
   * Read the profile schema.
   *
   * Returns the current version, or the one given by `version`.
   */
  readProfileSchema(
    params: {
      tenantId: string
    },
    query?: ReadProfileSchemaQuery,
    options?: CallOptions,
  ): Promise<StoredProfileSchema>

  /**
   * Publish a profile schema.
   *
   * Makes the new version the current one. Published versions are immutable and cannot become current again:
   * publishing the same content again has no effect, and an existing version with different content is rejected.
   * Without `version`, the service assigns a number. A version with newly unique or searchable fields becomes
   * current when stored profiles are indexed.
   */
  publishProfileSchema(
    params: {
      tenantId: string
    },
    body: ProfileSchemaInput,
    query?: PublishProfileSchemaQuery,
    options?: CallOptions,
  ): Promise<PublishProfileSchemaAnswer>

  /**
   * List the versions of the profile schema.
   *
   * Returns every published version, newest first.
   */
  listProfileSchemaVersions(
    params: {
      tenantId: string
    },
    query?: PageQueryInput,
    options?: CallOptions,
  ): Promise<ListProfileSchemaVersionsAnswer>

  /**
   * Read a version of the profile schema.
   *
   * Returns the document as published, with its state.
   */
  readProfileSchemaVersion(
    params: {
      tenantId: string
      version: string
    },
    options?: CallOptions,
  ): Promise<ReadProfileSchemaVersionAnswer>

  /**
   * Read the progress of the profile migration.
   *
   * Returns how many stored profiles are still to be migrated to the current version. A profile is migrated when it
   * is next changed, and in the background.
   */
  readProfileMigration(
    params: {
      tenantId: string
    },
    options?: CallOptions,
  ): Promise<ReadProfileMigrationAnswer>

  /**
   * Compare two versions of the profile schema.
   *
   * Returns what the later version breaks for profiles and clients of the earlier one, in the words of `check`. The
   * migrations of every version between them are applied.
   */
  diffProfileSchemas(
    params: {
      tenantId: string
    },
    query: DiffProfileSchemasQuery,
    options?: CallOptions,
  ): Promise<DiffProfileSchemasAnswer>

  /**
   * Check a profile schema.
   *
   * Reports what publishing the schema would break, and how many stored profiles would become invalid. Changes
   * nothing. For operators without the scope `profiles:read` no profile is read, and the counts of profiles and
   * values are null: rules and conditions of a schema can ask for any value.
   */
  checkProfileSchema(
    params: {
      tenantId: string
    },
    body?: ProfileSchemaInput,
    options?: CallOptions,
  ): Promise<CheckProfileSchemaAnswer>

  /**
   * Preview a message.
   *
   * Renders a message with sample values for the code and the recipient. Sends and stores nothing.
   */
  previewMessage(
    params: {
      tenantId: string
    },
    body: PreviewMessageBody,
    options?: CallOptions,
  ): Promise<MessagePreview>

  /**
   * Send a test message.
   *
   * Sends a real message with a sample code through each of the tenant's senders and returns the result of each:
   * with two senders, two messages arrive. Ignores open circuits and does not retry. Each SMS counts against the
   * daily budget. Outside production, the message is posted to the testing channel instead.
   */
  sendTestMessage(
    params: {
      tenantId: string
    },
    body: SendTestMessageBody,
    options?: CallOptions,
  ): Promise<TestMessageReport>

  /**
   * Create a tenant key.
   *
   * Creates a key for the client applications of the tenant. Only this response contains the key: store it. A
   * publishable key may ship in an app; a secret key stays on a server and may name the address of its user in
   * `X-Client-IP`.
   */
  createTenantKey(
    params: {
      tenantId: string
    },
    body?: CreateTenantKeyBody,
    options?: CallOptions,
  ): Promise<CreateTenantKeyAnswer>

  /**
   * List tenant keys.
   *
   * Returns all keys of the tenant without their secrets, oldest first, including expired and revoked ones.
   */
  listTenantKeys(
    params: {
      tenantId: string
    },
    query?: PageQueryInput,
    options?: CallOptions,
  ): Promise<ListTenantKeysAnswer>

  /**
   * Revoke a tenant key.
   *
   * Takes effect immediately in every process.
   */
  revokeTenantKey(
    params: {
      tenantId: string
      keyId: string
    },
    options?: CallOptions,
  ): Promise<void>

  /**
   * Rotate a tenant key.
   *
   * Creates a key of the same name and kind. The old key remains valid for `overlapSeconds`.
   */
  rotateTenantKey(
    params: {
      tenantId: string
      keyId: string
    },
    body?: RotateTenantKeyBody,
    options?: CallOptions,
  ): Promise<RotateTenantKeyAnswer>

  /**
   * Create a user.
   *
   * Creates a user with an e-mail address, a phone number or both, and optionally a password and a profile, in one
   * transaction. The profile may contain fields with `writable: false`. Sends no message.
   */
  createUser(
    params: {
      tenantId: string
    },
    body?: CreateUserBody,
    options?: CallOptions,
  ): Promise<ManagedUser>

  /**
   * List users.
   *
   * Returns the users of the tenant, oldest first by default. The filters match exactly, except `id` and `q`, which
   * match the beginning. A search by `q` returns users in the order of their addresses, a search by profile fields
   * in the order of the first named field, then oldest first. A user matches when all filters and conditions hold. A
   * page can have fewer users than `limit` and a next page when few of the users that it read match.
   */
  listUsers(
    params: {
      tenantId: string
    },
    query?: ListUsersQuery,
    options?: CallOptions,
  ): Promise<ListUsersAnswer>

  /**
   * Read a user.
   *
   * Returns the user with restrictions, suspension and last activity.
   */
  getUser(
    params: {
      tenantId: string
      userId: string
    },
    options?: CallOptions,
  ): Promise<ManagedUser>

  /**
   * Update a user.
   *
   * All requests and sign-ins of a suspended user fail with RESTRICTED_CAPABILITY, effective immediately. A
   * restriction withdraws one capability. Both have an optional reason and an optional end, which must be in the
   * future. `restrictedCapabilities` sets restrictions without either. A replaced address is verified unless
   * `emailVerified` or `phoneVerified` is false: you guarantee that it belongs to the user. When an address changes
   * or loses its verification, pending codes are cancelled; when it changes, the addresses that were verified before
   * get a notice. Password, identities and, except for guests, sessions stay, also when an unverified address
   * becomes verified. If you are not sure that they are those of the person with the address, leave it unverified:
   * its first proof by a code, a reset or a provider removes them.
   */
  updateUser(
    params: {
      tenantId: string
      userId: string
    },
    body: UpdateUserBody,
    options?: CallOptions,
  ): Promise<ManagedUser>

  /**
   * Delete a user.
   *
   * Deletes the user with the profile and cancels unused one-time passwords. Sends no notice.
   */
  deleteUser(
    params: {
      tenantId: string
      userId: string
    },
    options?: CallOptions,
  ): Promise<void>

  /**
   * Import users.
   *
   * Accepts one user per line (NDJSON), with password hashes of another system. A failed row is reported with its
   * line number; all other rows are stored. Reports progress every thousand rows; the last line is `done`. If the
   * connection ends early, stored rows remain; when sent again, they fail as duplicates. With `dryRun=true` every
   * row is judged as in an import and nothing is stored.
   */
  importUsers(
    params: {
      tenantId: string
    },
    lines: Lines,
    query?: ImportUsersQuery,
    options?: CallOptions,
  ): AsyncIterable<ImportLine>

  /**
   * Export users.
   *
   * Returns one user per line (NDJSON) in the format of an import, ordered by id; the last line is `done`. Users
   * created during the export may be missing.
   */
  exportUsers(
    params: {
      tenantId: string
    },
    query?: ExportUsersQuery,
    options?: CallOptions,
  ): AsyncIterable<ExportUsersAnswer>

  /**
   * List the identities of a user.
   *
   * Returns every way to sign in to the account, like `GET /account`.
   */
  listUserIdentities(
    params: {
      tenantId: string
      userId: string
    },
    options?: CallOptions,
  ): Promise<ListUserIdentitiesAnswer>

  /**
   * Remove an identity of a user.
   *
   * Like `DELETE /account/identities/:identityId`: the last sign-in method enabled for the tenant cannot be removed
   * (LAST_IDENTITY). A notice is sent to every previously verified address, without a code that restores a removed
   * one. Sessions stay; end them if another person used the identity.
   */
  removeUserIdentity(
    params: {
      tenantId: string
      userId: string
      /** `password`, `email`, `phone`, or the id of a provider identity. */
      identityId: string
    },
    options?: CallOptions,
  ): Promise<void>

  /**
   * Send a password reset code to a user.
   *
   * Sends a code for a password reset to the verified e-mail address of a user with a password, like step
   * `challenge` of `POST /auth/reset-password`. The user verifies it and sets a password with the id of the one-time
   * password. It counts as a code to this address.
   */
  sendPasswordReset(
    params: {
      tenantId: string
      userId: string
    },
    options?: CallOptions,
  ): Promise<SendPasswordResetAnswer>

  /**
   * List the sessions of a user.
   *
   * Returns the open sessions of the user, most recently used first; the latest 1,000 if there are more.
   */
  listUserSessions(
    params: {
      tenantId: string
      userId: string
    },
    options?: CallOptions,
  ): Promise<ListUserSessionsAnswer>

  /**
   * End all sessions of a user.
   *
   * Signs the user out everywhere, effective immediately in every process, and cancels their live one-time
   * passwords. Codes to sign in that were requested before are refused.
   */
  endUserSessions(
    params: {
      tenantId: string
      userId: string
    },
    options?: CallOptions,
  ): Promise<void>

  /**
   * End a session of a user.
   *
   * Effective immediately in every process.
   */
  endUserSession(
    params: {
      tenantId: string
      userId: string
      sessionId: string
    },
    options?: CallOptions,
  ): Promise<void>

  /**
   * Read the profile of a user.
   *
   * Returns the profile like `GET /account/profile`, with every field of the profile schema, null where unset.
   */
  readUserProfile(
    params: {
      tenantId: string
      userId: string
    },
    options?: CallOptions,
  ): Promise<ReadProfile>

  /**
   * Update the profile of a user.
   *
   * Like `PATCH /account/profile`, including fields with `writable: false`.
   */
  updateUserProfile(
    params: {
      tenantId: string
      userId: string
    },
    body: ProfileUpdate,
    options?: CallOptions,
  ): Promise<Profile>

  /**
   * List messages.
   *
   * Newest first. Decoys of enumeration protection are listed as sent, without a sender. Messages are deleted some
   * days after they expire.
   */
  listMessages(
    params: {
      tenantId: string
    },
    query?: ListMessagesQuery,
    options?: CallOptions,
  ): Promise<ListMessagesAnswer>

  /**
   * Read how messages fare.
   *
   * Counts the messages that wait and those that failed, and returns the state of the senders in order of
   * preference. Outside production there are no senders.
   */
  getMessageStatistics(
    params: {
      tenantId: string
    },
    options?: CallOptions,
  ): Promise<GetMessageStatisticsAnswer>

  /**
   * Retry a message.
   *
   * Queues a failed message for immediate sending. Possible until the message expires and, for a one-time password,
   * while that is pending.
   */
  retryMessage(
    params: {
      tenantId: string
      messageId: string
    },
    options?: CallOptions,
  ): Promise<ManagedMessage>

  /**
   * List messages of the testing channel.
   *
   * Returns the latest 200 matching messages, oldest first. Not available in production.
   */
  listTestingChannelMessages(
    query?: ListTestingChannelMessagesQuery,
    options?: CallOptions,
  ): Promise<ListTestingChannelMessagesAnswer>

  /**
   * Clear the testing channel.
   *
   * Removes the messages of the testing channel, with their codes, from its list and its streams; of all tenants
   * without `tenantId`. The codes stay valid, and the messages stay in the list of messages of their tenant.
   * Messages that arrive meanwhile stay. Not available in production.
   */
  clearTestingChannelMessages(query?: ClearTestingChannelMessagesQuery, options?: CallOptions): Promise<void>

  /**
   * List the events of a tenant.
   *
   * Newest first. All filters must match. The filters `type`, `outcome` and `requestId` are checked event by event,
   * of at most 20,000 events per page: a page may then have fewer items than `limit`, or none, and a `nextCursor`
   * with which to continue. An event is listed once it is sealed, usually within a second.
   */
  listEvents(
    params: {
      tenantId: string
    },
    query?: ListEventsQuery,
    options?: CallOptions,
  ): Promise<ListEventsAnswer>

  /**
   * Export the events of a tenant.
   *
   * Returns the sealed log as JSON lines (NDJSON), oldest first: the events of a batch, then the batch, and `done`
   * as the last line. An export consists of whole batches, so that it can be verified without the service. The
   * export is recorded as `events.exported` before its first line.
   */
  exportEvents(
    params: {
      tenantId: string
    },
    query?: ExportEventsQuery,
    options?: CallOptions,
  ): AsyncIterable<EventLine>

  /**
   * List the checkpoints of a tenant’s log.
   *
   * Returns the signed batches of the log, newest first. Store them elsewhere: an export that is verified with them
   * later cannot have been changed since.
   */
  listCheckpoints(
    params: {
      tenantId: string
    },
    query?: PageQueryInput,
    options?: CallOptions,
  ): Promise<ListCheckpointsAnswer>

  /**
   * Verify the events of a tenant.
   *
   * Computes every hash of the sealed log again and checks every signature. Changes nothing. Verifying takes about
   * 10 seconds for each million events; one verification runs at a time in each process.
   */
  verifyEvents(
    params: {
      tenantId: string
    },
    body?: VerifyEventsBody,
    options?: CallOptions,
  ): Promise<VerifyEventsAnswer>

  /**
   * List the events of the deployment.
   *
   * Acts that belong to no tenant: on operators, signing keys, and the creation and deletion of tenants. Newest
   * first. All filters must match. The filters `type`, `outcome` and `requestId` are checked event by event, of at
   * most 20,000 events per page: a page may then have fewer items than `limit`, or none, and a `nextCursor` with
   * which to continue. An event is listed once it is sealed, usually within a second.
   */
  listDeploymentEvents(query?: ListDeploymentEventsQuery, options?: CallOptions): Promise<ListDeploymentEventsAnswer>

  /**
   * Export the events of the deployment.
   *
   * Like `GET /admin/tenants/{tenantId}/events/export`, for the log of the deployment.
   */
  exportDeploymentEvents(query?: ExportDeploymentEventsQuery, options?: CallOptions): AsyncIterable<EventLine>

  /**
   * List the checkpoints of the deployment’s log.
   *
   * Like `GET /admin/tenants/{tenantId}/events/checkpoints`, for the log of the deployment.
   */
  listDeploymentCheckpoints(query?: PageQueryInput, options?: CallOptions): Promise<ListDeploymentCheckpointsAnswer>

  /**
   * Read the public keys of checkpoints.
   *
   * Returns a JSON Web Key Set (RFC 7517) with every key that ever signed a batch, oldest first. The keys never
   * change: store them elsewhere to verify exports without the service.
   */
  getCheckpointKeys(options?: CallOptions): Promise<GetCheckpointKeysAnswer>

  /**
   * Verify the events of the deployment.
   *
   * Like `POST /admin/tenants/{tenantId}/events/verify`, for the log of the deployment.
   */
  verifyDeploymentEvents(
    body?: VerifyDeploymentEventsBody,
    options?: CallOptions,
  ): Promise<VerifyDeploymentEventsAnswer>

  /**
   * Read how the deployment runs.
   *
   * Version and settings of the process that answers, without secrets. Every operator may read it; only one with
   * `system:read` for all tenants gets the warnings.
   */
  getDeployment(options?: CallOptions): Promise<GetDeploymentAnswer>

  /**
   * Read the statistics of the deployment.
   *
   * The same for all tenants together, those deleted meanwhile included in the days. An operator bound to tenants
   * gets the sum of those.
   */
  getStatistics(query?: GetStatisticsQuery, options?: CallOptions): Promise<GetStatisticsAnswer>

  /**
   * Read the statistics of a tenant.
   *
   * Counts of each day, and what the tenant has now. Processes write their counts once a minute, and a killed
   * process loses its last minute. `totals` is null until the rows of a tenant of an earlier version have been
   * counted.
   */
  getTenantStatistics(
    params: {
      tenantId: string
    },
    query?: GetTenantStatisticsQuery,
    options?: CallOptions,
  ): Promise<GetTenantStatisticsAnswer>

  /**
   * List the signing keys.
   *
   * Returns all keys whose access tokens are accepted, as published in `/.well-known/jwks.json`.
   */
  listSigningKeys(options?: CallOptions): Promise<ListSigningKeysAnswer>

  /**
   * Rotate the signing keys.
   *
   * Publishes the next key, which starts signing in ten minutes; has no effect if one is already published. Clients
   * are not affected. With `withdraw`, for a leaked key, a new key signs immediately and no other key is trusted:
   * all existing access tokens are rejected with `INVALID_USER_TOKEN`, immediately by the process that handles the
   * request and within a minute by all others. Refresh tokens remain valid.
   */
  rotateSigningKeys(body?: RotateSigningKeysBody, options?: CallOptions): Promise<RotateSigningKeysAnswer>

  /**
   * Create an operator.
   *
   * Creates an operator with a key. Only this response contains the key: store it. You can grant only what you have
   * yourself: scopes, tenants and time.
   */
  createOperator(body: CreateOperatorBody, options?: CallOptions): Promise<CreateOperatorAnswer>

  /**
   * List operators.
   *
   * Returns all operators without their keys, oldest first, including expired and revoked ones.
   */
  listOperators(query?: PageQueryInput, options?: CallOptions): Promise<ListOperatorsAnswer>

  /**
   * Read an operator.
   *
   * Returns the operator without the key, also when expired or revoked.
   */
  getOperator(
    params: {
      operatorId: string
    },
    options?: CallOptions,
  ): Promise<Operator>

  /**
   * Update an operator.
   *
   * Changes only the given members, effective immediately. A change of scopes, tenants or expiry must leave the
   * operator with nothing that you lack yourself.
   */
  updateOperator(
    params: {
      operatorId: string
    },
    body: UpdateOperatorBody,
    options?: CallOptions,
  ): Promise<Operator>

  /**
   * Revoke an operator.
   *
   * The key and all console sessions of the operator end immediately, in every process. The operator stays in the
   * list, because events name them.
   */
  revokeOperator(
    params: {
      operatorId: string
    },
    options?: CallOptions,
  ): Promise<void>

  /**
   * Rotate the key of an operator.
   *
   * Creates another key for the same operator. The replaced key remains valid for `overlapHours`, and one that was
   * replaced before no longer. Without an overlap, the console sessions of the operator end too. Refused for an
   * operator who has more than you.
   */
  rotateOperatorKey(
    params: {
      operatorId: string
    },
    body?: RotateOperatorKeyBody,
    options?: CallOptions,
  ): Promise<RotateOperatorKeyAnswer>

  /**
   * Read the current operator.
   *
   * Returns who the request comes from, with scopes and tenants.
   */
  getCurrentOperator(options?: CallOptions): Promise<GetCurrentOperatorAnswer>

  /**
   * Read the metrics.
   *
   * Metrics in the Prometheus text format. They never contain a tenant, a user, an address or a one-time password.
   * With `METRICS_PORT` set, that port serves the same metrics without a key.
   */
  getMetrics(options?: CallOptions): Promise<string>
}

/** The body, or else the query, of each operation. */
export interface AdminInputs {
  createTenant: CreateTenantBody
  listTenants: ListTenantsQuery
  updateTenant: UpdateTenantBody
  replaceConfiguration: NewTenantModulesInput
  updateConfiguration: TenantModulesPatch
  readProfileSchema: ReadProfileSchemaQuery
  publishProfileSchema: ProfileSchemaInput
  listProfileSchemaVersions: PageQueryInput
  diffProfileSchemas: DiffProfileSchemasQuery
  checkProfileSchema: ProfileSchemaInput
  previewMessage: PreviewMessageBody
  sendTestMessage: SendTestMessageBody
  createTenantKey: CreateTenantKeyBody
  listTenantKeys: PageQueryInput
  rotateTenantKey: RotateTenantKeyBody
  createUser: CreateUserBody
  listUsers: ListUsersQuery
  updateUser: UpdateUserBody
  importUsers: ImportUsersQuery
  exportUsers: ExportUsersQuery
  updateUserProfile: ProfileUpdate
  listMessages: ListMessagesQuery
  listTestingChannelMessages: ListTestingChannelMessagesQuery
  clearTestingChannelMessages: ClearTestingChannelMessagesQuery
  listEvents: ListEventsQuery
  exportEvents: ExportEventsQuery
  listCheckpoints: PageQueryInput
  verifyEvents: VerifyEventsBody
  listDeploymentEvents: ListDeploymentEventsQuery
  exportDeploymentEvents: ExportDeploymentEventsQuery
  listDeploymentCheckpoints: PageQueryInput
  verifyDeploymentEvents: VerifyDeploymentEventsBody
  getStatistics: GetStatisticsQuery
  getTenantStatistics: GetTenantStatisticsQuery
  rotateSigningKeys: RotateSigningKeysBody
  createOperator: CreateOperatorBody
  listOperators: PageQueryInput
  updateOperator: UpdateOperatorBody
  rotateOperatorKey: RotateOperatorKeyBody
}

/** The answer of each operation. */
export interface AdminAnswers {
  createTenant: Tenant
  listTenants: ListTenantsAnswer
  getTenant: Tenant
  updateTenant: Tenant
  deleteTenant: undefined
  readConfiguration: TenantModules
  replaceConfiguration: TenantModules
  updateConfiguration: TenantModules
  readProfileSchema: StoredProfileSchema
  publishProfileSchema: PublishProfileSchemaAnswer
  listProfileSchemaVersions: ListProfileSchemaVersionsAnswer
  readProfileSchemaVersion: ReadProfileSchemaVersionAnswer
  readProfileMigration: ReadProfileMigrationAnswer
  diffProfileSchemas: DiffProfileSchemasAnswer
  checkProfileSchema: CheckProfileSchemaAnswer
  previewMessage: MessagePreview
  sendTestMessage: TestMessageReport
  createTenantKey: CreateTenantKeyAnswer
  listTenantKeys: ListTenantKeysAnswer
  revokeTenantKey: undefined
  rotateTenantKey: RotateTenantKeyAnswer
  createUser: ManagedUser
  listUsers: ListUsersAnswer
  getUser: ManagedUser
  updateUser: ManagedUser
  deleteUser: undefined
  importUsers: ImportLine
  exportUsers: ExportUsersAnswer
  listUserIdentities: ListUserIdentitiesAnswer
  removeUserIdentity: undefined
  sendPasswordReset: SendPasswordResetAnswer
  listUserSessions: ListUserSessionsAnswer
  endUserSessions: undefined
  endUserSession: undefined
  readUserProfile: ReadProfile
  updateUserProfile: Profile
  listMessages: ListMessagesAnswer
  getMessageStatistics: GetMessageStatisticsAnswer
  retryMessage: ManagedMessage
  listTestingChannelMessages: ListTestingChannelMessagesAnswer
  clearTestingChannelMessages: undefined
  listEvents: ListEventsAnswer
  exportEvents: EventLine
  listCheckpoints: ListCheckpointsAnswer
  verifyEvents: VerifyEventsAnswer
  listDeploymentEvents: ListDeploymentEventsAnswer
  exportDeploymentEvents: EventLine
  listDeploymentCheckpoints: ListDeploymentCheckpointsAnswer
  getCheckpointKeys: GetCheckpointKeysAnswer
  verifyDeploymentEvents: VerifyDeploymentEventsAnswer
  getDeployment: GetDeploymentAnswer
  getStatistics: GetStatisticsAnswer
  getTenantStatistics: GetTenantStatisticsAnswer
  listSigningKeys: ListSigningKeysAnswer
  rotateSigningKeys: RotateSigningKeysAnswer
  createOperator: CreateOperatorAnswer
  listOperators: ListOperatorsAnswer
  getOperator: Operator
  updateOperator: Operator
  revokeOperator: undefined
  rotateOperatorKey: RotateOperatorKeyAnswer
  getCurrentOperator: GetCurrentOperatorAnswer
  getMetrics: string
}

export type Capability = 'reset_password' | 'otp' | 'sign_up' | 'profile_update' | 'sign_in' | 'upload'

export interface CreateTenantBody {
  name: string
  restrictedCapabilities?: Capability[] | undefined
  suspended?: boolean | undefined
}

/** A tenant as the operator sees it. */
export interface Tenant {
  id: string
  name: string
  suspended: boolean
  restrictedCapabilities: Capability[]
  createdAt: string
  updatedAt: string
}

export interface ListTenantsQuery {
  /** Items per page. Default: 50. */
  limit?: number | string | undefined
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined
  /** The beginning of the name, in any case, or of the id. */
  q?: string | undefined
  /** Default: `oldest`. */
  order?: 'newest' | 'oldest' | undefined
}

/** A tenant in a list. */
export interface ListedTenant {
  id: string
  name: string
  suspended: boolean
  restrictedCapabilities: Capability[]
  createdAt: string
  updatedAt: string
  /** About a minute old; null until they have been counted. */
  users: number | null
}

export interface ListTenantsAnswer {
  items: ListedTenant[]
  nextCursor: string | null
}

export interface UpdateTenantBody {
  name?: string | undefined
  restrictedCapabilities?: Capability[] | undefined
  suspended?: boolean | undefined
}

/**
 * The whole configuration: modules of the service by their schema, and custom modules of the tenant, stored
 * unchanged. Rejects the keys `profileSchema`, `meta`, `data` and `error`, and known modules in a different letter
 * case.
 */
export interface TenantModules {
  auth?: AuthModule | undefined
  otp?: OtpModule | undefined
  upload?: UploadModule | undefined
  security?: SecurityModule | undefined
  delivery?: DeliveryModule | undefined
  events?: EventsModule | undefined
  [field: string]: unknown
}

/** The tenant's enabled sign-in methods and their settings. Only `methods` is public. */
export interface AuthModule {
  methods: AuthMethod[]
  google?:
    | {
        clientIds: string[]
        /** Also accepts ID tokens with the raw nonce instead of its SHA-256, for SDKs that cannot hash it. */
        plainNonce?: boolean | undefined
      }
    | undefined
  apple?:
    | {
        clientIds: string[]
        /** Also accepts ID tokens with the raw nonce instead of its SHA-256, for SDKs that cannot hash it. */
        plainNonce?: boolean | undefined
      }
    | undefined
  facebook?:
    | {
        clientIds: string[]
        /** Also accepts ID tokens with the raw nonce instead of its SHA-256, for SDKs that cannot hash it. */
        plainNonce?: boolean | undefined
      }
    | undefined
  guest?:
    | {
        /** Guests without activity for this many days are deleted. Default: never. */
        idleDays?: number | undefined
      }
    | undefined
}

/** One-time password settings; a one-time password keeps those it was issued with. Only `length` is public. */
export interface OtpModule {
  /** Number of digits of a code. */
  length: number
  ttlSeconds: number
  resendIntervalSeconds: number
  maxResends: number
  maxVerifyAttempts: number
}

/** Upload rules, all of them public; `maxSize` is in bytes. */
export interface UploadModule {
  allowedTypes: string[]
  maxSize: number
}

/** Security settings of a tenant. Never public. */
export interface SecurityModule {
  /**
   * Password resets, sign-ups and changes of an address get the same answer for known and unknown addresses. A
   * sign-up then requires `token`, a verified one-time password for the address: update apps that sign users up
   * without one first.
   */
  enumerationProtection: boolean
  /** Rejects common passwords, and passwords equal to the e-mail address, its local part or the tenant’s name. */
  passwordBlocklist: boolean
  /** How long a sign-in counts as fresh. Sensitive account operations require a fresh sign-in. */
  freshSeconds: number
  /** Browser origins that may use a publishable key. */
  allowedOrigins: string[]
}

/** Templates and senders of messages. Never public. */
export interface DeliveryModule {
  /** E-mail senders in order of preference. Default: those of the deployment. */
  email?: EmailSenders | undefined
  /** SMS senders in order of preference. Default: those of the deployment. */
  sms?: SmsSenders | undefined
  /** The From address of e-mail. */
  from?:
    | {
        address: string
        name?: string | undefined
      }
    | undefined
  /**
   * Allowed destinations of SMS: countries (ISO 3166-1, such as `FR`). Default: all countries. Global ranges
   * (`+800`, `+808`, `+870`, `+878`, `+881`, `+882`, `+883`, `+888`, `+979`) and special types of numbers
   * (`premium:GB`, also `shared-cost`, `uan`, `personal`, `voicemail`) are allowed only if listed.
   */
  smsCountries?: string[] | undefined
  /** Maximum number of SMS per day (UTC); 0 sends none. */
  smsDailyBudget: number
  defaultLocale?: string | undefined
  /** The site where users enter codes from SMS. Browsers then offer to fill them in (WebOTP). */
  webOtpDomain?: string | undefined
  templates?: DeliveryTemplates | undefined
}

/** A tenant's e-mail senders in order of preference. */
export type EmailSenders = EmailSender[]

/** A sender of e-mail. */
export type EmailSender =
  | {
      type: 'smtp'
      name?: string | undefined
      /** Host name or IP address of the server. */
      host: string
      port: number
      /** true: implicit TLS, the default on port 465. false: STARTTLS, which is then required. */
      secure?: boolean | undefined
      user?: string | undefined
      password?: string | undefined
    }
  | {
      type: 'http'
      name?: string | undefined
      url: string
      /** The shared secret with which the gateway verifies signatures. */
      secret: string
    }

/** A tenant's SMS senders in order of preference. */
export type SmsSenders = SmsSender[]

/** A sender of SMS. */
export type SmsSender =
  | {
      type: 'twilio'
      name?: string | undefined
      accountSid: string
      authToken: string
      from?: string | undefined
      messagingServiceSid?: string | undefined
    }
  | {
      type: 'http'
      name?: string | undefined
      url: string
      /** The shared secret with which the gateway verifies signatures. */
      secret: string
    }

/**
 * A tenant's templates, in its `delivery` module; the built-in texts are used where one is missing. The Liquid
 * code is validated by `server/delivery/templates/check-templates.ts`.
 */
export interface DeliveryTemplates {
  email_verification?:
    | {
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        email?: Record<string, EmailTemplate> | undefined
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        sms?: Record<string, SmsTemplate> | undefined
      }
    | undefined
  phone_verification?:
    | {
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        email?: Record<string, EmailTemplate> | undefined
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        sms?: Record<string, SmsTemplate> | undefined
      }
    | undefined
  reset_password?:
    | {
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        email?: Record<string, EmailTemplate> | undefined
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        sms?: Record<string, SmsTemplate> | undefined
      }
    | undefined
  otp_signin?:
    | {
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        email?: Record<string, EmailTemplate> | undefined
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        sms?: Record<string, SmsTemplate> | undefined
      }
    | undefined
  identity_added?:
    | {
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        email?: Record<string, EmailTemplate> | undefined
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        sms?: Record<string, SmsTemplate> | undefined
      }
    | undefined
  identity_removed?:
    | {
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        email?: Record<string, EmailTemplate> | undefined
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        sms?: Record<string, SmsTemplate> | undefined
      }
    | undefined
  password_added?:
    | {
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        email?: Record<string, EmailTemplate> | undefined
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        sms?: Record<string, SmsTemplate> | undefined
      }
    | undefined
  password_changed?:
    | {
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        email?: Record<string, EmailTemplate> | undefined
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        sms?: Record<string, SmsTemplate> | undefined
      }
    | undefined
  email_changed?:
    | {
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        email?: Record<string, EmailTemplate> | undefined
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        sms?: Record<string, SmsTemplate> | undefined
      }
    | undefined
  phone_changed?:
    | {
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        email?: Record<string, EmailTemplate> | undefined
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        sms?: Record<string, SmsTemplate> | undefined
      }
    | undefined
  account_deleted?:
    | {
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        email?: Record<string, EmailTemplate> | undefined
        /** Templates by BCP 47 language tag, such as `de`, `pt-BR` or `zh-Hant`. */
        sms?: Record<string, SmsTemplate> | undefined
      }
    | undefined
}

/** An e-mail template in Liquid. Without `html`, the text is placed in the built-in HTML layout. */
export interface EmailTemplate {
  subject: string
  text: string
  html?: string | undefined
}

/** An SMS template in Liquid. */
export interface SmsTemplate {
  text: string
}

/** What is recorded of what happens in a tenant, and for how long it is kept. Never public. */
export interface EventsModule {
  /**
   * `security` leaves out what is frequent and rarely needed, such as issued codes; `off` records operators’ acts
   * only.
   */
  detail: EventDetail
  /** How long events are kept. */
  days: number
  /** How long the acts of operators are kept. */
  operatorDays: number
  /** Records the values of profile fields before and after a change, except sensitive and unreadable ones. */
  profileValues: boolean
}

/** How much of what happens is recorded; operators' acts always are. */
export type EventDetail = 'off' | 'security' | 'all'

/** The whole configuration in a request. */
export interface NewTenantModulesInput {
  auth?: AuthModule | undefined
  otp?: OtpModuleInput | undefined
  upload?: UploadModule | undefined
  security?: SecurityModuleInput | undefined
  delivery?: DeliveryModuleInput | undefined
  events?: EventsModuleInput | undefined
  [field: string]: unknown
}

/** One-time password settings; a one-time password keeps those it was issued with. Only `length` is public. */
export interface OtpModuleInput {
  /** Number of digits of a code. */
  length?: number | undefined
  ttlSeconds?: number | undefined
  resendIntervalSeconds?: number | undefined
  maxResends?: number | undefined
  maxVerifyAttempts?: number | undefined
}

/** Security settings of a tenant. Never public. */
export interface SecurityModuleInput {
  /**
   * Password resets, sign-ups and changes of an address get the same answer for known and unknown addresses. A
   * sign-up then requires `token`, a verified one-time password for the address: update apps that sign users up
   * without one first.
   */
  enumerationProtection?: boolean | undefined
  /** Rejects common passwords, and passwords equal to the e-mail address, its local part or the tenant’s name. */
  passwordBlocklist?: boolean | undefined
  /** How long a sign-in counts as fresh. Sensitive account operations require a fresh sign-in. */
  freshSeconds?: number | undefined
  /** Browser origins that may use a publishable key. */
  allowedOrigins?: string[] | undefined
}

/** Templates and senders of messages. Never public. */
export interface DeliveryModuleInput {
  /** E-mail senders in order of preference. Default: those of the deployment. */
  email?: EmailSendersInput | undefined
  /** SMS senders in order of preference. Default: those of the deployment. */
  sms?: SmsSenders | undefined
  /** The From address of e-mail. */
  from?:
    | {
        address: string
        name?: string | undefined
      }
    | undefined
  /**
   * Allowed destinations of SMS: countries (ISO 3166-1, such as `FR`). Default: all countries. Global ranges
   * (`+800`, `+808`, `+870`, `+878`, `+881`, `+882`, `+883`, `+888`, `+979`) and special types of numbers
   * (`premium:GB`, also `shared-cost`, `uan`, `personal`, `voicemail`) are allowed only if listed.
   */
  smsCountries?: string[] | undefined
  /** Maximum number of SMS per day (UTC); 0 sends none. */
  smsDailyBudget?: number | undefined
  defaultLocale?: string | undefined
  /** The site where users enter codes from SMS. Browsers then offer to fill them in (WebOTP). */
  webOtpDomain?: string | undefined
  templates?: DeliveryTemplates | undefined
}

/** A tenant's e-mail senders in order of preference. */
export type EmailSendersInput = EmailSenderInput[]

/** A sender of e-mail. */
export type EmailSenderInput =
  | {
      type: 'smtp'
      name?: string | undefined
      /** Host name or IP address of the server. */
      host: string
      port?: number | undefined
      /** true: implicit TLS, the default on port 465. false: STARTTLS, which is then required. */
      secure?: boolean | undefined
      user?: string | undefined
      password?: string | undefined
    }
  | {
      type: 'http'
      name?: string | undefined
      url: string
      /** The shared secret with which the gateway verifies signatures. */
      secret: string
    }

/** What is recorded of what happens in a tenant, and for how long it is kept. Never public. */
export interface EventsModuleInput {
  /**
   * `security` leaves out what is frequent and rarely needed, such as issued codes; `off` records operators’ acts
   * only.
   */
  detail?: EventDetail | undefined
  /** How long events are kept. */
  days?: number | undefined
  /** How long the acts of operators are kept. */
  operatorDays?: number | undefined
  /** Records the values of profile fields before and after a change, except sensitive and unreadable ones. */
  profileValues?: boolean | undefined
}

/** A merge patch of the configuration (RFC 7396): objects are merged, null removes, anything else replaces. */
export type TenantModulesPatch = Record<string, unknown>

export interface ReadProfileSchemaQuery {
  version?: string | undefined
}

/** A published schema as the operator sees it, including the migrations. */
export interface StoredProfileSchema {
  version: string
  components: ProfileComponent[]
  presentation: PresentationSection[]
  forms: Record<string, ProfileForm>
  migrations: ProfileMigration[]
}

/** One step that migrates stored profiles from the previous version; steps run in order. */
export type ProfileMigration =
  | {
      rename: {
        from: string
        to: string
      }
    }
  | {
      drop: string
    }
  | {
      default: {
        field: string
        value: ProfileFieldValue
      }
    }
  | {
      map: {
        field: string
        values: Record<string, string | number | boolean | null>
      }
    }
  | {
      copy: {
        from: string
        to: string
      }
    }
  | {
      cast: {
        field: string
        to: 'text' | 'number' | 'integer' | 'boolean' | 'date' | 'list'
      }
    }
  | {
      split: {
        from: string
        separator: string
        to: string[]
      }
    }
  | {
      join: {
        from: string[]
        separator: string
        to: string
      }
    }

/** The value of a profile field: a scalar, an array of strings, or an object, depending on its type. */
export type ProfileFieldValue = string | number | boolean | string[] | Record<string, string | boolean>

/** The body of `PUT /admin/tenants/{t}/profile-schema`; without `version`, the service assigns a number. */
export interface ProfileSchemaInput {
  /** For editors: `GET /profile-schema.json`. Ignored. */
  $schema?: string | undefined
  version?: string | undefined
  components: ProfileComponent[]
  presentation?: PresentationSection[] | undefined
  forms?: Record<string, ProfileForm> | undefined
  migrations?: ProfileMigration[] | undefined
}

export interface PublishProfileSchemaQuery {
  /** `refuse`: publishes nothing if `check` would report changes. Default: `allow`. */
  ifBreaking?: 'allow' | 'refuse' | undefined
}

/** What a valid schema does that its author hardly wants, such as a step of a form that users cannot save. */
export interface ProfileSchemaWarning {
  /** The dotted path in the schema. */
  path: string
  /** For the operator. */
  message: string
}

export interface PublishProfileSchemaAnswer {
  version: string
  components: ProfileComponent[]
  presentation: PresentationSection[]
  forms: Record<string, ProfileForm>
  migrations: ProfileMigration[]
  /**
   * `building`: more than 2,000 profiles are being indexed. `failed`: users have equal values in a unique field.
   * `superseded`: published before, and replaced since.
   */
  state: 'current' | 'superseded' | 'building' | 'failed'
  /** When `failed`: the number of values that several users have, by field. */
  duplicates?: Record<string, number> | undefined
  /** Parts of the schema that cannot work, although it is valid; up to 100. They do not prevent publishing. */
  warnings: ProfileSchemaWarning[]
}

/** A version of the profile schema in the list of versions. */
export interface ProfileSchemaVersion {
  version: string
  /** Its place in the order of publication. */
  ordinal: number
  state: ProfileSchemaState
  publishedAt: string
  /** The id of the operator, `root` for the root key. `admin` or null for a version that an earlier release stored. */
  publishedBy: string | null
  /** Only of a version that failed: up to 100 pairs of users with the same value in a unique field. */
  conflicts?:
    | {
        field: string
        userIds: string[]
      }[]
    | undefined
  /** The number of its components. */
  fields: number
  /** The number of its migration steps. */
  migrations: number
  /** Profiles stored under this version and not migrated since. */
  profiles: number
}

/** Whether a version is in use: it becomes current once its unique and searchable fields are indexed (`building`). */
export type ProfileSchemaState = 'current' | 'superseded' | 'building' | 'failed'

export interface ListProfileSchemaVersionsAnswer {
  items: ProfileSchemaVersion[]
  nextCursor: string | null
}

export interface ReadProfileSchemaVersionAnswer {
  version: string
  components: ProfileComponent[]
  presentation: PresentationSection[]
  forms: Record<string, ProfileForm>
  migrations: ProfileMigration[]
  state: ProfileSchemaState
  publishedAt: string
  /** The id of the operator, `root` for the root key. `admin` or null for a version that an earlier release stored. */
  publishedBy: string | null
  /** Only of a version that failed: up to 100 pairs of users with the same value in a unique field. */
  conflicts?:
    | {
        field: string
        userIds: string[]
      }[]
    | undefined
}

export interface ReadProfileMigrationAnswer {
  /** The current version. */
  version: string
  /** All stored profiles. */
  profiles: number
  /** Profiles stored under another version. */
  pending: number
}

export interface DiffProfileSchemasQuery {
  /** The earlier version. */
  from: string
  /** The later version. Default: the current one. */
  to?: string | undefined
}

/** A change that breaks stored profiles or clients of the older schema. */
export interface ProfileSchemaChange {
  /** The field's name in the older schema, or in the newer one if only that has it. */
  field: string
  kind: 'removed' | 'retyped' | 'narrowed' | 'conditional'
  /** For the operator. */
  message: string
}

export interface DiffProfileSchemasAnswer {
  from: string
  to: string
  changes: ProfileSchemaChange[]
}

export interface CheckProfileSchemaAnswer {
  /**
   * What publishing would do: make a `new` version; nothing, because this version is current or building
   * (`unchanged`) or was replaced since (`superseded`); or be refused, because the version exists with other content
   * (`taken`) or while another version is building (`waiting`).
   */
  effect: 'new' | 'unchanged' | 'superseded' | 'taken' | 'waiting'
  changes: ProfileSchemaChange[]
  /** Stored profiles checked; null without the scope `profiles:read`. */
  profiles: number | null
  /** Profiles with at least one value that the new schema rejects. */
  failingProfiles: number | null
  /** Number of profiles in which each field is invalid, by field name. */
  failingFields: Record<string, number> | null
  /** Number of profiles whose value a `cast` step of the schema leaves as it is, by field name. */
  uncastable: Record<string, number> | null
  /** Number of values that several users have in a unique field, by field name: publishing would fail. */
  duplicates: Record<string, number> | null
  /** Texts that lack a language which other texts have: paths by language tag, up to 10,000. */
  untranslated: Record<string, string[]>
  /** Parts of the schema that cannot work, although it is valid; up to 100. They do not prevent publishing. */
  warnings: ProfileSchemaWarning[]
}

/** The kind of a message: the purpose of its code, or a notice. */
export type TemplateKind =
  | 'email_verification'
  | 'phone_verification'
  | 'reset_password'
  | 'otp_signin'
  | 'identity_added'
  | 'identity_removed'
  | 'password_added'
  | 'password_changed'
  | 'email_changed'
  | 'phone_changed'
  | 'account_deleted'

export interface PreviewMessageBody {
  kind: TemplateKind
  method: DeliveryMethod
  /** Default: the tenant's default locale, or `en`. */
  locale?: string | undefined
  /**
   * Whether a notice of `email_changed` or `phone_changed` contains an undo code, as the notice to the replaced
   * address does. Ignored for other kinds.
   */
  undo?: boolean | undefined
  /** Templates to use instead of the stored ones, validated like those of a configuration update. */
  templates?: DeliveryTemplates | undefined
}

/** A rendered message of the tenant with sample values. */
export interface MessagePreview {
  /** null for SMS. */
  subject: string | null
  text: string
  /** null for SMS. */
  html: string | null
  /** The language of the message: the closest match for the requested one. */
  locale: string
  /** true: the tenant's template failed and the built-in text was used instead. */
  fallback: boolean
}

export type SendTestMessageBody =
  | {
      method: 'email'
      to: string
      kind?: TemplateKind | undefined
      /** Default: the tenant's default locale, or `en`. */
      locale?: string | undefined
      /** The name of a single sender to try. Default: every sender of the method. Production only. */
      sender?: string | undefined
    }
  | {
      method: 'sms'
      /** International format (E.164), such as +33612345678. */
      to: string
      kind?: TemplateKind | undefined
      /** Default: the tenant's default locale, or `en`. */
      locale?: string | undefined
      /** The name of a single sender to try. Default: every sender of the method. Production only. */
      sender?: string | undefined
    }

/** The result of a test message. */
export interface TestMessageReport {
  /** Whether a sender accepted the message, or the testing channel outside production. */
  delivered: boolean
  /** The first sender, in order of preference, that accepted the message; null for none and for the testing channel. */
  sender: string | null
  /** Why no sender accepted the message; null if one did. */
  problem: string | null
  /** Every sender tried, in order of preference. */
  attempts: SenderAttempt[]
}

/** The result of one sender for a test message. */
export interface SenderAttempt {
  /** The name from the sender settings, or its type; further unnamed senders of a type are numbered from 2. */
  sender: string
  /** Why the sender did not accept the message; null if it did. */
  problem: string | null
}

/** `publishable` may be part of an app; `secret` stays on the tenant's server. */
export type KeyKind = 'publishable' | 'secret'

export interface CreateTenantKeyBody {
  name?: string | undefined
  kind?: KeyKind | undefined
  expiresAt?: string | undefined
}

export interface CreateTenantKeyAnswer {
  id: string
  name: string
  kind: KeyKind
  /** The key itself. Returned only once: store it. */
  key: string
  createdAt: string
  expiresAt: string | null
}

/** A tenant key without its secret, which is returned only on creation. */
export interface TenantKey {
  id: string
  name: string
  kind: KeyKind
  createdAt: string
  expiresAt: string | null
  revokedAt: string | null
  /** Accurate to one minute. */
  lastUsedAt: string | null
}

export interface ListTenantKeysAnswer {
  items: TenantKey[]
  nextCursor: string | null
}

export interface RotateTenantKeyBody {
  overlapSeconds?: number | undefined
}

export interface RotateTenantKeyAnswer {
  id: string
  name: string
  kind: KeyKind
  /** The key itself. Returned only once: store it. */
  key: string
  createdAt: string
  expiresAt: string | null
}

export interface CreateUserBody {
  email?: string | undefined
  /**
   * true: you guarantee that the address belongs to the user. Otherwise, its first proof by a code, a reset or a
   * provider removes the credentials that were set before.
   */
  emailVerified?: boolean | undefined
  /** International format (E.164), such as +33612345678. */
  phone?: string | undefined
  /** true: you guarantee that the number belongs to the user. */
  phoneVerified?: boolean | undefined
  password?: string | undefined
  profile?: ProfileUpdate | undefined
}

/** A user as the operator sees it. */
export interface ManagedUser {
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
}

/**
 * States by which users are listed: a suspension or a restriction in force; a guest; no verified address although
 * not a guest.
 */
export type UserState = 'suspended' | 'restricted' | 'guest' | 'unverified'

/** The order of users by the time of their creation. */
export type UserOrder = 'newest' | 'oldest'

export interface ListUsersQuery {
  /** Items per page. Default: 50. */
  limit?: number | string | undefined
  /** `nextCursor` of the previous page of the same search. */
  cursor?: string | undefined
  /**
   * Only users whose address begins with this; with a leading `+`, whose number does; for the beginning of an id,
   * such as `01KF`, whose id does. Not together with `email`, `phone`, `id` or `profile`.
   */
  q?: string | undefined
  /** Only users in this state. */
  state?: UserState | undefined
  /** By creation, the default is `oldest`. Not together with `q` or `profile`, whose results have another order. */
  order?: UserOrder | undefined
  /** Only the user with this address. */
  email?: string | undefined
  /** Only the user with this number. */
  phone?: string | undefined
  /** Only users whose id starts with this. */
  id?: string | undefined
  /**
   * Conditions on `searchable` fields of the profile, at most 3: `profile.city=paris` for an equal value,
   * `profile.name.prefix=an` for its beginning (text, email, phone, url), `profile.age.min=18` and
   * `profile.age.max=30` for a range (number, integer, date), which is one condition. Name the condition that the
   * fewest users meet first: it is read first.
   */
  [parameter: `profile.${string}`]: string | number | boolean | undefined
}

export interface ListUsersAnswer {
  items: ManagedUser[]
  nextCursor: string | null
}

export interface UpdateUserBody {
  email?: string | undefined
  /**
   * Whether you guarantee that the address belongs to the user; of the address in `email`, or the stored one.
   * Default for a replaced address: true.
   */
  emailVerified?: boolean | undefined
  /** International format (E.164), such as +33612345678. */
  phone?: string | undefined
  /** The same for the number. */
  phoneVerified?: boolean | undefined
  restrictedCapabilities?: UserCapability[] | undefined
  restrictions?:
    | {
        capability: UserCapability
        /** The reason, for the operator. Included in the user’s export. */
        reason?: string | null | undefined
        /** When it ends automatically; null for never. */
        until?: string | null | undefined
      }[]
    | undefined
  /** null lifts the suspension. */
  suspension?:
    | {
        /** The reason, for the operator. Included in the user’s export. */
        reason?: string | null | undefined
        /** When it ends automatically; null for never. */
        until?: string | null | undefined
      }
    | null
    | undefined
}

export interface ImportUsersQuery {
  /** true: only report; `imported` counts the users that an import would create. Default: false. */
  dryRun?: 'true' | 'false' | undefined
}

/** One user of an import. Requires an address, an identity or `guest`, so that the user can sign in again. */
export interface ImportedUser {
  /** Default: generated. */
  id?: string | undefined
  email?: string | null | undefined
  emailVerified?: boolean | undefined
  /** International format (E.164), such as +33612345678. */
  phone?: string | null | undefined
  phoneVerified?: boolean | undefined
  guest?: boolean | undefined
  /** The password hash of the previous system; replaced at the first sign-in. */
  passwordHash?: ImportedPassword | null | undefined
  identities?:
    | {
        provider: SocialProvider
        /** The id of the account at the provider (`sub`). */
        subject: string
        email?: string | null | undefined
      }[]
    | undefined
  profile?: ProfileUpdate | null | undefined
  restrictions?:
    | {
        capability: UserCapability
        /** The reason, for the operator. Included in the user’s export. */
        reason?: string | null | undefined
        /** When it ends automatically; null for never. */
        until?: string | null | undefined
      }[]
    | undefined
  suspension?:
    | {
        /** The reason, for the operator. Included in the user’s export. */
        reason?: string | null | undefined
        /** When it ends automatically; null for never. */
        until?: string | null | undefined
      }
    | null
    | undefined
  createdAt?: string | undefined
  lastActiveAt?: string | undefined
}

/** The password hash of another system. Replaced by an argon2id hash when the user signs in. */
export type ImportedPassword =
  | string
  | {
      algorithm: 'firebase-scrypt'
      /** `passwordHash` of the exported user, in base64. */
      hash: string
      /** `salt` of the exported user, in base64. */
      salt: string
      /** `base64_signer_key` of the project's password hash parameters. Not stored. */
      signerKey: string
      /** `base64_salt_separator` of the project's password hash parameters. */
      saltSeparator: string
      /** `rounds` of the project. */
      rounds: number
      /** `mem_cost` of the project. */
      memoryCost: number
    }
  | {
      algorithm: 'scrypt'
      /** The hash in the given `encoding`, at most 512 bytes. */
      hash: string
      /** The encoding of `hash`. Base64 may be URL-safe, with or without padding. */
      encoding: 'hex' | 'base64'
      /** The salt in the given `saltEncoding`, at most 256 bytes. */
      salt: string
      /**
       * How `salt` was hashed: as text (`utf8`), or as the bytes it encodes. Many systems hash the text of a hexadecimal
       * salt. A wrong choice shows only as passwords that do not match: test it with a known password.
       */
      saltEncoding: 'utf8' | 'hex' | 'base64'
      /** N, a power of two. 128 · N · r is at most 256 MiB, 128 · N · r · p at most 512 MiB. */
      cost: number
      /** r. */
      blockSize: number
      /** p. */
      parallelization: number
    }
  | {
      algorithm: 'pbkdf2'
      digest: 'sha1' | 'sha256' | 'sha512'
      /** If the hash is longer than the digest, every further block counts again. */
      iterations: number
      /** The hash in the given `encoding`, at most 512 bytes. */
      hash: string
      /** The encoding of `hash`. Base64 may be URL-safe, with or without padding. */
      encoding: 'hex' | 'base64'
      /** The salt in the given `saltEncoding`, at most 256 bytes. */
      salt: string
      /**
       * How `salt` was hashed: as text (`utf8`), or as the bytes it encodes. Many systems hash the text of a hexadecimal
       * salt. A wrong choice shows only as passwords that do not match: test it with a known password.
       */
      saltEncoding: 'utf8' | 'hex' | 'base64'
    }
  | {
      algorithm: 'md5' | 'sha1' | 'sha256' | 'sha512'
      /** The hash in the given `encoding`, at most 512 bytes. */
      hash: string
      /** The encoding of `hash`. Base64 may be URL-safe, with or without padding. */
      encoding: 'hex' | 'base64'
      /** The salt in the given `saltEncoding`, at most 256 bytes. */
      salt?: string | undefined
      /**
       * How `salt` was hashed: as text (`utf8`), or as the bytes it encodes. Many systems hash the text of a hexadecimal
       * salt. A wrong choice shows only as passwords that do not match: test it with a known password.
       */
      saltEncoding?: 'utf8' | 'hex' | 'base64' | undefined
      /**
       * The order in which salt and password were concatenated. Required with `salt`, like `saltEncoding`; not allowed
       * without.
       */
      order?: 'salt-first' | 'password-first' | undefined
      /** Number of digests; each after the first is taken of the bytes of the previous one. Default: 1. */
      iterations?: number | undefined
    }
  | {
      algorithm: 'hmac-md5' | 'hmac-sha1' | 'hmac-sha256' | 'hmac-sha512'
      /** The hash in the given `encoding`, at most 512 bytes. */
      hash: string
      /** The encoding of `hash`. Base64 may be URL-safe, with or without padding. */
      encoding: 'hex' | 'base64'
      /**
       * The key in the given `keyEncoding`, 1 to 256 bytes. Stored with the hash. If each user's salt was the key, give
       * that salt.
       */
      key: string
      /** How `key` was used: as text (`utf8`), or as the bytes it encodes. */
      keyEncoding: 'utf8' | 'hex' | 'base64'
      /** The salt in the given `saltEncoding`, at most 256 bytes. */
      salt?: string | undefined
      /**
       * How `salt` was hashed: as text (`utf8`), or as the bytes it encodes. Many systems hash the text of a hexadecimal
       * salt. A wrong choice shows only as passwords that do not match: test it with a known password.
       */
      saltEncoding?: 'utf8' | 'hex' | 'base64' | undefined
      /**
       * The order in which salt and password were concatenated. Required with `salt`, like `saltEncoding`; not allowed
       * without.
       */
      order?: 'salt-first' | 'password-first' | undefined
    }

/** A line of an import response: a failed row, the progress, or, as the last line, the totals. */
export type ImportLine =
  | {
      error: {
        /** Line number in the file, from 1. */
        line: number
        code:
          | 'VALIDATION_ERROR'
          | 'EMAIL_ALREADY_REGISTERED'
          | 'PHONE_ALREADY_REGISTERED'
          | 'IDENTITY_LINKED_ELSEWHERE'
          | 'USER_ALREADY_EXISTS'
          | 'PAYLOAD_TOO_LARGE'
        message: string
        validation?: Record<string, string> | undefined
        /** The violated rule of each refused profile field, with the keys of `validation`. */
        details?: Record<string, FieldDetail> | undefined
      }
    }
  | {
      progress: {
        read: number
        imported: number
        failed: number
      }
    }
  | {
      done: {
        read: number
        imported: number
        failed: number
      }
    }

/** The rule that a profile field violates, with the rule's parameters. A closed set; `contract/fields/` makes them. */
export type FieldDetail =
  | {
      rule: 'type'
      expected: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
    }
  | {
      rule: 'characters'
    }
  | {
      rule: 'format'
      format: string
    }
  | {
      rule: 'minLength'
      minLength: number
    }
  | {
      rule: 'maxLength'
      maxLength: number
      part?: string | undefined
    }
  | {
      rule: 'itemMinLength'
      itemMinLength: number
    }
  | {
      rule: 'itemMaxLength'
      itemMaxLength: number
    }
  | {
      rule: 'minItems'
      minItems: number
    }
  | {
      rule: 'maxItems'
      maxItems: number
    }
  | {
      rule: 'uniqueItems'
    }
  | {
      rule: 'items'
      items: string
    }
  | {
      rule: 'pattern'
    }
  | {
      rule: 'min'
      min: number | string
    }
  | {
      rule: 'max'
      max: number | string
    }
  | {
      rule: 'step'
      step: number
    }
  | {
      rule: 'minAge'
      minAge: number
    }
  | {
      rule: 'maxAge'
      maxAge: number
    }
  | {
      rule: 'domains'
      domains: string[]
    }
  | {
      rule: 'countries'
      countries: string[]
    }
  | {
      rule: 'in'
      in: string[]
    }
  | {
      rule: 'options'
      options: string[]
    }
  | {
      rule: 'requiredParts'
      parts: string[]
    }
  | {
      rule: 'mustBeTrue'
    }
  | {
      rule: 'version'
      version: string
    }
  | {
      rule: 'required'
    }
  | {
      rule: 'requiredWhen'
    }
  | {
      rule: 'writeOnce'
    }
  | {
      rule: 'lockedWhen'
    }
  | {
      rule: 'writable'
    }
  | {
      rule: 'unique'
    }

export interface ExportUsersQuery {
  /** Whether to include password hashes. Default: false. */
  passwordHashes?: 'true' | 'false' | undefined
  /** Whether to include values of fields with `sensitive: true`; otherwise they are null. Default: false. */
  sensitive?: 'true' | 'false' | undefined
}

/** One user of an export, in the format of an import. */
export interface ExportedUser {
  id: string
  email: string | null
  emailVerified: boolean
  phone: string | null
  phoneVerified: boolean
  guest: boolean
  /** Only with `passwordHashes=true`. */
  passwordHash?: string | null | undefined
  identities: {
    provider: SocialProvider
    /** The id of the account at the provider (`sub`). */
    subject: string
    email: string | null
  }[]
  profile: Record<string, unknown> | null
  restrictions: Restriction[]
  suspension: Suspension | null
  createdAt: string
  lastActiveAt: string
}

/** The last line of an export. */
export interface ExportEnd {
  done: {
    exported: number
  }
}

export type ExportUsersAnswer = ExportedUser | ExportEnd

export interface ListUserIdentitiesAnswer {
  identities: Identity[]
}

export interface SendPasswordResetAnswer {
  /**
   * The id of the one-time password, for `POST /otp/verify`; null for operators without the scope `codes:read`, like
   * `otpId` of a message.
   */
  otpId: string | null
}

export interface ListUserSessionsAnswer {
  sessions: {
    id: string
    userAgent: string | null
    /** The network of the last use: IPv4 /24 or IPv6 /48. */
    network: string
    createdAt: string
    /** The last sign-in or refresh. */
    lastUsedAt: string
    /** When the session ends unless it is refreshed first. */
    expiresAt: string
  }[]
}

/** The state of a message: queued → sending → sent | failed, or cancelled with its one-time password. */
export type MessageState = 'queued' | 'sending' | 'sent' | 'failed' | 'cancelled'

export interface ListMessagesQuery {
  /** Items per page. Default: 50. */
  limit?: number | string | undefined
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined
  state?: MessageState | undefined
  /** Only messages to this e-mail address or phone number. */
  recipient?: string | undefined
  /** Only messages of this one-time password. */
  otpId?: string | undefined
}

/** A message as the operator sees it, without its content. */
export interface ManagedMessage {
  id: string
  /**
   * The one-time password or undo code that the message delivers; null for a notice without a code, and for
   * operators without the scope `codes:read`: a verified one is used with its id.
   */
  otpId: string | null
  kind:
    | 'otp'
    | 'identity_added'
    | 'identity_removed'
    | 'password_added'
    | 'password_changed'
    | 'email_changed'
    | 'phone_changed'
    | 'account_deleted'
  scope: OtpScope | null
  deliveryMethod: DeliveryMethod
  recipient: string
  locale: string | null
  state: MessageState
  /** Attempts since the message was queued or last retried. */
  attempts: number
  /** Why the last attempt failed. Never contains the code. */
  lastError: string | null
  createdAt: string
  /** null unless the message is queued. */
  nextAttemptAt: string | null
  /** The message is not sent after this time. */
  expiresAt: string
  /** When the message was sent, failed or was cancelled. */
  settledAt: string | null
  /** The sender that accepted the message; null before that, and for the testing channel. */
  sender: string | null
}

export interface ListMessagesAnswer {
  items: ManagedMessage[]
  nextCursor: string | null
}

/** A sender of the tenant, or of the deployment where the tenant has none, as the process that answers sees it. */
export interface SenderState {
  method: DeliveryMethod
  name: string
  /** `broken`: it failed several times in a row, and messages skip it. */
  state: 'ok' | 'broken'
  /** When a broken sender is tried again; null while one message tries it. */
  until: string | null
  /** Why a broken sender failed. Never contains a code or a recipient. */
  lastError: string | null
}

export interface GetMessageStatisticsAnswer {
  /** Messages that wait. Counted among the first 20,000 of the deployment. */
  queued: number
  /** Messages that are being sent, counted in the same way. */
  sending: number
  /** When the oldest of them was created; null when none waits. */
  oldestQueuedAt: string | null
  /** Messages of the last 24 hours that failed. Counted among the latest 20,000 that were not sent. */
  failed24h: number
  senders: SenderState[]
}

export interface ListTestingChannelMessagesQuery {
  tenantId?: string | undefined
  otpId?: string | undefined
  recipient?: string | undefined
}

/** A message that production would have sent, with its code; outside production only. */
export interface TestingChannelMessage {
  id: string
  tenantId: string
  /** The one-time password or undo code that the message delivers; null for a notice without a code. */
  otpId: string | null
  /** null for notices. */
  scope: OtpScope | null
  deliveryMethod: DeliveryMethod
  recipient: string
  /** null for a message without a code. */
  code: string | null
  text: string
  createdAt: string
}

export interface ListTestingChannelMessagesAnswer {
  messages: TestingChannelMessage[]
}

export interface ClearTestingChannelMessagesQuery {
  tenantId?: string | undefined
}

export interface ListEventsQuery {
  /** Items per page. Default: 50. */
  limit?: number | string | undefined
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined
  /** Only events of this type, or of a group of types: `session.*`. */
  type?: string | undefined
  /** Only acts of this user, operator or tenant key, by id; `root` for the root key. */
  actor?: string | undefined
  /** Only events about this user, tenant key or other subject, by id. */
  subject?: string | undefined
  outcome?: 'done' | 'refused' | undefined
  /** Only events at this time or later. */
  since?: string | undefined
  /** Only events before this time. */
  until?: string | undefined
  /** Only events of this request. */
  requestId?: string | undefined
}

/** A recorded event. Codes, tokens, passwords and secrets are never part of one. */
export interface RecordedEvent {
  id: string
  /** Its place in the log: events of a log are numbered from 1 without a gap. */
  sequence: number
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
  /** null in the log of the deployment. */
  tenantId: string | null
  actor: {
    kind: 'user' | 'operator' | 'tenantKey' | 'anonymous' | 'system'
    /** `root` for the root key; null for an anonymous caller and the system. */
    id: string | null
    session?: string | undefined
  }
  subject: {
    kind:
      | 'user'
      | 'otp'
      | 'tenant'
      | 'tenantKey'
      | 'profileSchema'
      | 'configuration'
      | 'operator'
      | 'message'
      | 'signingKey'
      | 'address'
    id: string | null
  }
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
  where: {
    /** The network of the client: the first 24 bits of an IPv4 address, 48 of IPv6. */
    network: string | null
    /** Browser and system, such as `Chrome 142 on macOS`. */
    userAgent: string | null
    requestId: string | null
  }
}

export interface ListEventsAnswer {
  items: RecordedEvent[]
  nextCursor: string | null
}

export interface ExportEventsQuery {
  /** From the first batch that was sealed at this time or later. */
  since?: string | undefined
  /** To the last batch that was sealed before this time. */
  until?: string | undefined
  /** JSON lines, the only format. */
  format?: 'ndjson' | undefined
}

/** A line of an export: an event, the batch of the events before it, or, as the last line, the totals. */
export type EventLine =
  | SealedLine
  | {
      batch: {
        /** null in the log of the deployment. */
        tenantId: string | null
        /** Batches of a log are numbered from 1 without a gap. */
        batch: number
        firstSequence: number
        count: number
        sealedAt: string
        /** base64url SHA-256 over the hashes of its events. */
        root: string
        /** `hash` of the batch before; empty in the first. */
        previous: string
        /** base64url SHA-256 that covers `previous` and all members above. */
        hash: string
        /** The checkpoint key of `signature`. */
        kid: string
        /** base64url Ed25519 over the 32 bytes of `hash`. */
        signature: string
        /** null while all of its events are stored; otherwise how many of them were kept. */
        kept: number | null
        purgedAt: string | null
        purgeKid: string | null
        purgeSignature: string | null
        /** The hashes of all its events, concatenated, in base64url, when some of them were purged. */
        rowHashes: string | null
      }
    }
  | {
      done: {
        events: number
        batches: number
        /** The last batch of the log when the export began; null when nothing is sealed. */
        head: {
          batch: number
          sequence: number
          hash: string
        } | null
      }
    }

/** An event as it was sealed: its hash can be computed from these members alone. */
export interface SealedLine {
  sequence: number
  id: string
  /** Its hash covers the epoch milliseconds. */
  at: string
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
  actor: {
    kind: 'user' | 'operator' | 'tenantKey' | 'anonymous' | 'system'
    id: string | null
  }
  subject: {
    kind:
      | 'user'
      | 'otp'
      | 'tenant'
      | 'tenantKey'
      | 'profileSchema'
      | 'configuration'
      | 'operator'
      | 'message'
      | 'signingKey'
      | 'address'
    id: string | null
  }
  outcome: 'done' | 'refused'
  requestId: string | null
  public: Record<string, unknown>
  /** What names a person, with the salt of its commitment; null once the person is erased. */
  personal: Record<string, unknown> | null
  /** base64url SHA-256 of `personal` in canonical JSON, as it was recorded. */
  commitment: string
}

/** A sealed batch without the hashes of purged rows. */
export interface Checkpoint {
  /** null in the log of the deployment. */
  tenantId: string | null
  /** Batches of a log are numbered from 1 without a gap. */
  batch: number
  firstSequence: number
  count: number
  sealedAt: string
  /** base64url SHA-256 over the hashes of its events. */
  root: string
  /** `hash` of the batch before; empty in the first. */
  previous: string
  /** base64url SHA-256 that covers `previous` and all members above. */
  hash: string
  /** The checkpoint key of `signature`. */
  kid: string
  /** base64url Ed25519 over the 32 bytes of `hash`. */
  signature: string
  /** null while all of its events are stored; otherwise how many of them were kept. */
  kept: number | null
  purgedAt: string | null
  purgeKid: string | null
  purgeSignature: string | null
}

export interface ListCheckpointsAnswer {
  items: Checkpoint[]
  nextCursor: string | null
}

export interface VerifyEventsBody {
  /** The first batch to verify. The batch before is trusted if its signature holds. */
  fromBatch?: number | undefined
}

export interface VerifyEventsAnswer {
  /** Batches without a fault, and their events. */
  verified: {
    batches: number
    events: number
  }
  /** Events whose retention has ended, and the last batch with such events. Their batches still verify. */
  purged: {
    events: number
    lastBatch: number | null
  }
  /** Events without their personal part, because the person was erased. */
  erased: number
  /** The last batch; null when nothing is sealed. */
  head: {
    batch: number
    hash: string
    sealedAt: string
  } | null
  /** The first 100 faults; empty when the log is as it was sealed. */
  faults: {
    batch: number
    /** Absent when the hashes do not tell which event of the batch it is. */
    sequence?: number | undefined
    /**
     * `missing`: an event or the end of the log is not stored. `changed`: something is not stored as it was sealed, or
     * was never sealed. `reordered`: events or batches have another order. `signature`: a signature does not hold.
     * `gap`: batches are missing, or one does not continue the one before.
     */
    kind: 'missing' | 'changed' | 'reordered' | 'signature' | 'gap'
    /** For the operator. */
    problem: string
  }[]
  faultCount: number
}

export interface ListDeploymentEventsQuery {
  /** Items per page. Default: 50. */
  limit?: number | string | undefined
  /** `nextCursor` of the previous page. */
  cursor?: string | undefined
  /** Only events of this type, or of a group of types: `session.*`. */
  type?: string | undefined
  /** Only acts of this user, operator or tenant key, by id; `root` for the root key. */
  actor?: string | undefined
  /** Only events about this user, tenant key or other subject, by id. */
  subject?: string | undefined
  outcome?: 'done' | 'refused' | undefined
  /** Only events at this time or later. */
  since?: string | undefined
  /** Only events before this time. */
  until?: string | undefined
  /** Only events of this request. */
  requestId?: string | undefined
}

export interface ListDeploymentEventsAnswer {
  items: RecordedEvent[]
  nextCursor: string | null
}

export interface ExportDeploymentEventsQuery {
  /** From the first batch that was sealed at this time or later. */
  since?: string | undefined
  /** To the last batch that was sealed before this time. */
  until?: string | undefined
  /** JSON lines, the only format. */
  format?: 'ndjson' | undefined
}

export interface ListDeploymentCheckpointsAnswer {
  items: Checkpoint[]
  nextCursor: string | null
}

export interface GetCheckpointKeysAnswer {
  keys: {
    kty: 'OKP'
    crv: 'Ed25519'
    x: string
    /** The thumbprint of the key (RFC 7638). */
    kid: string
    alg: 'EdDSA'
    use: 'sig'
  }[]
}

export interface VerifyDeploymentEventsBody {
  /** The first batch to verify. The batch before is trusted if its signature holds. */
  fromBatch?: number | undefined
}

export interface VerifyDeploymentEventsAnswer {
  /** Batches without a fault, and their events. */
  verified: {
    batches: number
    events: number
  }
  /** Events whose retention has ended, and the last batch with such events. Their batches still verify. */
  purged: {
    events: number
    lastBatch: number | null
  }
  /** Events without their personal part, because the person was erased. */
  erased: number
  /** The last batch; null when nothing is sealed. */
  head: {
    batch: number
    hash: string
    sealedAt: string
  } | null
  /** The first 100 faults; empty when the log is as it was sealed. */
  faults: {
    batch: number
    /** Absent when the hashes do not tell which event of the batch it is. */
    sequence?: number | undefined
    /**
     * `missing`: an event or the end of the log is not stored. `changed`: something is not stored as it was sealed, or
     * was never sealed. `reordered`: events or batches have another order. `signature`: a signature does not hold.
     * `gap`: batches are missing, or one does not continue the one before.
     */
    kind: 'missing' | 'changed' | 'reordered' | 'signature' | 'gap'
    /** For the operator. */
    problem: string
  }[]
  faultCount: number
}

export interface GetDeploymentAnswer {
  version: string
  environment: 'development' | 'staging' | 'production'
  publicUrl: string
  engine: 'sqlite' | 'postgres'
  /** Whether messages go to the testing channel instead of people. */
  testingChannel: boolean
  /** Of the deployment, used by tenants without own ones. */
  senders: {
    /** Their names, in order of preference. */
    email: string[]
    /** Their names, in order of preference. */
    sms: string[]
  }
  /** By name: `30/h`, `10%` or `off`. */
  limits: Record<string, string>
  retentionDays: number
  /** What this process warned of at startup. */
  warnings: {
    code: 'SETTINGS' | 'NEW_DATABASE' | 'READABLE_ENV_FILE' | 'SENDERS'
    message: string
  }[]
}

export interface GetStatisticsQuery {
  /** How many days, today included. Default: 30. */
  days?: number | string | undefined
  /** The IANA time zone in which days begin, such as `Europe/Berlin`. Default: `UTC`. */
  timezone?: string | undefined
}

export interface GetStatisticsAnswer {
  totals: {
    tenants: number
    /** All users, with guests and suspended ones. */
    users: number
    guests: number
    suspended: number
    openSessions: number
  }
  /** Oldest first; days without anything have zeros. */
  days: {
    day: string
    /** Accounts that people created; not guests, and not what operators create or import. */
    signUps: number
    /** Sign-ins to existing accounts. */
    signIns: number
    /** One-time passwords that were issued or sent again. */
    codes: number
    /** Passwords that were reset. */
    resets: number
    messagesSent: number
    /** Messages that were given up. */
    messagesFailed: number
  }[]
}

export interface GetTenantStatisticsQuery {
  /** How many days, today included. Default: 30. */
  days?: number | string | undefined
  /** The IANA time zone in which days begin, such as `Europe/Berlin`. Default: `UTC`. */
  timezone?: string | undefined
}

export interface GetTenantStatisticsAnswer {
  totals: {
    /** All users, with guests and suspended ones. */
    users: number
    guests: number
    suspended: number
    openSessions: number
  } | null
  /** Oldest first; days without anything have zeros. */
  days: {
    day: string
    /** Accounts that people created; not guests, and not what operators create or import. */
    signUps: number
    /** Sign-ins to existing accounts. */
    signIns: number
    /** One-time passwords that were issued or sent again. */
    codes: number
    /** Passwords that were reset. */
    resets: number
    messagesSent: number
    /** Messages that were given up. */
    messagesFailed: number
  }[]
}

/** A key that signs access tokens, without its private key. */
export interface SigningKey {
  kid: string
  state: SigningKeyState
  createdAt: string
  signsFrom: string
  /** null while no newer key exists. */
  trustedUntil: string | null
}

/** The state of a key: published but not yet signing, signing, or still trusted for the tokens it signed. */
export type SigningKeyState = 'next' | 'current' | 'previous'

export interface ListSigningKeysAnswer {
  /** Signing keys, oldest first. */
  keys: SigningKey[]
}

export interface RotateSigningKeysBody {
  withdraw?: boolean | undefined
}

export interface RotateSigningKeysAnswer {
  /** Signing keys, oldest first. */
  keys: SigningKey[]
}

export type RoleName = 'owner' | 'admin' | 'developer' | 'support' | 'auditor' | 'viewer'

/** A scope as it is sent and stored. */
export type ScopeName =
  | '*'
  | 'tenants:read'
  | 'tenants:write'
  | 'configuration:read'
  | 'configuration:write'
  | 'schema:read'
  | 'schema:write'
  | 'keys:read'
  | 'keys:write'
  | 'users:read'
  | 'users:write'
  | 'profiles:read'
  | 'profiles:write'
  | 'sessions:read'
  | 'sessions:write'
  | 'uploads:read'
  | 'uploads:write'
  | 'messages:read'
  | 'messages:write'
  | 'webhooks:read'
  | 'webhooks:write'
  | 'events:read'
  | 'events:write'
  | 'operators:read'
  | 'operators:write'
  | 'system:read'
  | 'system:write'
  | 'users:export'
  | 'users:export-hashes'
  | 'users:delete'
  | 'codes:read'

export interface CreateOperatorBody {
  name: string
  email?: string | null | undefined
  /** A name for a list of scopes, which is stored instead. Send either this or `scopes`. */
  role?: RoleName | undefined
  scopes?: ScopeName[] | undefined
  /** Binds the operator to these tenants. null: all tenants and the deployment. */
  tenantIds?: string[] | null | undefined
  /** null: never. */
  expiresAt?: string | null | undefined
}

export interface CreateOperatorAnswer {
  /** `root` for the root key. */
  id: string
  name: string
  scopes: ScopeName[]
  /** null: all tenants and the deployment. */
  tenantIds: string[] | null
  expiresAt: string | null
  email: string | null
  /** The id of an operator, or `root`. */
  createdBy: string
  createdAt: string
  revokedAt: string | null
  /** When the key was last used. Accurate to one minute. */
  lastUsedAt: string | null
  /** The key itself. Returned only once: store it. */
  key: string
}

/** An operator without the key, which is returned only on creation and rotation. */
export interface Operator {
  /** `root` for the root key. */
  id: string
  name: string
  scopes: ScopeName[]
  /** null: all tenants and the deployment. */
  tenantIds: string[] | null
  expiresAt: string | null
  email: string | null
  /** The id of an operator, or `root`. */
  createdBy: string
  createdAt: string
  revokedAt: string | null
  /** When the key was last used. Accurate to one minute. */
  lastUsedAt: string | null
}

export interface ListOperatorsAnswer {
  items: Operator[]
  nextCursor: string | null
}

export interface UpdateOperatorBody {
  name?: string | undefined
  email?: string | null | undefined
  /** A name for a list of scopes, which is stored instead. Send either this or `scopes`. */
  role?: RoleName | undefined
  scopes?: ScopeName[] | undefined
  /** Binds the operator to these tenants. null: all tenants and the deployment. */
  tenantIds?: string[] | null | undefined
  /** null: never. */
  expiresAt?: string | null | undefined
}

export interface RotateOperatorKeyBody {
  overlapHours?: number | undefined
}

export interface RotateOperatorKeyAnswer {
  /** `root` for the root key. */
  id: string
  name: string
  scopes: ScopeName[]
  /** null: all tenants and the deployment. */
  tenantIds: string[] | null
  expiresAt: string | null
  email: string | null
  /** The id of an operator, or `root`. */
  createdBy: string
  createdAt: string
  revokedAt: string | null
  /** When the key was last used. Accurate to one minute. */
  lastUsedAt: string | null
  /** The key itself. Returned only once: store it. */
  key: string
}

/** Who a request under `/admin` comes from. */
export interface CurrentOperator {
  /** `root` for the root key. */
  id: string
  name: string
  scopes: ScopeName[]
  /** null: all tenants and the deployment. */
  tenantIds: string[] | null
  expiresAt: string | null
}

export interface GetCurrentOperatorAnswer {
  operator: CurrentOperator
}
