import type { z } from 'zod'
import type { Operation } from '../../contract/operation.ts'
import type { OperationName } from '../../contract/operations.ts'
import type { OtpScope } from '../../contract/otp.ts'

/** A place for an id in an operation, and a request that is valid apart from it. */
export interface IdPosition {
  readonly operation: OperationName
  readonly field: string
  /** The id is looked up together with a scope. */
  readonly scoped?: boolean
  /** Sent with the access token of the tenant's user. */
  readonly asUser?: boolean
  request(tenantId: string, id: string, beside: Beside): { line: string; body?: unknown }
}

/** The rest of a request. */
export interface Beside {
  readonly scope: OtpScope | undefined
  readonly code: string
  /** A user of the tenant. */
  readonly userId: string
}

const names = new Set([
  ...['id', 'token', 'keyId', 'userId', 'sessionId', 'identityId', 'messageId', 'otpId'],
  ...['recipient', 'email', 'phone', 'version', 'schemaVersion', 'refreshToken', 'idToken'],
])
/** These create something with an address, so a user elsewhere with that address is not affected. */
export const newHere: ReadonlySet<string> = new Set([
  ...['createUser email', 'createUser phone', 'issueOtp email', 'issueOtp phone', 'signUp email'],
  ...['addIdentity email', 'changeEmail email', 'changePhone phone', 'updateUser email', 'updateUser phone'],
  ...['importUsers id', 'importUsers email', 'importUsers phone'],
])

/** The places of an operation for an id or its equivalent. */
export function idFieldsOf(name: string, { params, query, body, bodyLines }: Operation): string[] {
  const schemas = [params, query, body, bodyLines].filter((schema) => schema !== undefined)
  const fields = new Set(schemas.flatMap(fieldsOf).filter((field) => names.has(field)))
  return [...fields].filter((field) => !newHere.has(`${name} ${field}`))
}

function fieldsOf(schema: z.ZodType): string[] {
  if ('shape' in schema) return Object.keys(schema.shape as object)
  if ('options' in schema && Array.isArray(schema.options)) return schema.options.flatMap(fieldsOf)
  return []
}

/** A position in a body: the rest of the body and of the request. */
const inBody =
  (line: string, field: string, rest: object = {}): IdPosition['request'] =>
  (_, id) => ({ line, body: { ...rest, [field]: id } })

const users = (tenantId: string, id: string) => `/admin/tenants/${tenantId}/users/${encodeURIComponent(id)}`
const keys = (tenantId: string, id: string) => `/admin/tenants/${tenantId}/keys/${encodeURIComponent(id)}`
const outbox = (tenantId: string) => `/admin/tenants/${tenantId}/messages`
const messages = (tenantId: string, field: string, id: string) =>
  `GET /admin/testing-channel/messages?tenantId=${tenantId}&${field}=${encodeURIComponent(id)}`

export const idPositions: readonly IdPosition[] = [
  {
    operation: 'verifyOtp',
    field: 'id',
    scoped: true,
    request: (_, id, { scope, code }) => ({ line: 'POST /otp/verify', body: { id, scope, code } }),
  },
  {
    operation: 'resendOtp',
    field: 'id',
    scoped: true,
    request: (_, id, { scope }) => ({ line: 'POST /otp/resend', body: { id, scope } }),
  },
  {
    operation: 'getOtpStatus',
    field: 'id',
    scoped: true,
    request: (_, id, { scope }) => ({ line: 'POST /otp/status', body: { id, scope } }),
  },
  {
    operation: 'resetPassword',
    field: 'token',
    request: inBody('POST /auth/reset-password', 'token', { step: 'confirm', password: 'long enough' }),
  },
  {
    operation: 'resetPassword',
    field: 'email',
    request: inBody('POST /auth/reset-password', 'email', { step: 'challenge' }),
  },
  {
    operation: 'signIn',
    field: 'email',
    request: inBody('POST /auth/sign-in', 'email', { method: 'password', password: 'correct horse' }),
  },
  { operation: 'signIn', field: 'token', request: inBody('POST /auth/sign-in', 'token', { method: 'otp' }) },
  { operation: 'signIn', field: 'idToken', request: inBody('POST /auth/sign-in', 'idToken', { method: 'google' }) },
  {
    operation: 'signUp',
    field: 'token',
    request: inBody('POST /auth/sign-up', 'token', {
      method: 'password',
      email: 'new@example.com',
      password: 'long enough',
    }),
  },
  {
    operation: 'stepUp',
    field: 'token',
    asUser: true,
    request: inBody('POST /auth/step-up', 'token', { method: 'otp' }),
  },
  {
    operation: 'stepUp',
    field: 'idToken',
    asUser: true,
    request: inBody('POST /auth/step-up', 'idToken', { method: 'google' }),
  },
  {
    operation: 'recoverAccount',
    field: 'id',
    request: inBody('POST /account/recover', 'id', { code: '12345678' }),
  },
  { operation: 'refreshSession', field: 'refreshToken', request: inBody('POST /auth/refresh', 'refreshToken') },
  {
    operation: 'endSession',
    field: 'sessionId',
    asUser: true,
    request: (_, id) => ({ line: `DELETE /account/sessions/${encodeURIComponent(id)}` }),
  },
  {
    operation: 'addIdentity',
    field: 'token',
    asUser: true,
    request: inBody('POST /account/identities', 'token', { method: 'otp' }),
  },
  {
    operation: 'addIdentity',
    field: 'idToken',
    asUser: true,
    request: inBody('POST /account/identities', 'idToken', { method: 'google' }),
  },
  {
    operation: 'removeIdentity',
    field: 'identityId',
    asUser: true,
    request: (_, id) => ({ line: `DELETE /account/identities/${encodeURIComponent(id)}` }),
  },
  {
    operation: 'getTenantConfiguration',
    field: 'schemaVersion',
    request: (_, id) => ({ line: `GET /tenant-configuration?schemaVersion=${encodeURIComponent(id)}` }),
  },
  {
    operation: 'readProfileSchema',
    field: 'version',
    request: (tenantId, id) => ({
      line: `GET /admin/tenants/${tenantId}/profile-schema?version=${encodeURIComponent(id)}`,
    }),
  },
  {
    operation: 'revokeTenantKey',
    field: 'keyId',
    request: (tenantId, id) => ({ line: `DELETE ${keys(tenantId, id)}` }),
  },
  {
    operation: 'rotateTenantKey',
    field: 'keyId',
    request: (tenantId, id) => ({ line: `POST ${keys(tenantId, id)}/rotate`, body: { overlapSeconds: 0 } }),
  },
  ...(['email', 'phone', 'id'] as const).map(
    (field): IdPosition => ({
      operation: 'listUsers',
      field,
      request: (tenantId, id) => ({ line: `GET /admin/tenants/${tenantId}/users?${field}=${encodeURIComponent(id)}` }),
    }),
  ),
  { operation: 'getUser', field: 'userId', request: (tenantId, id) => ({ line: `GET ${users(tenantId, id)}` }) },
  {
    operation: 'updateUser',
    field: 'userId',
    request: (tenantId, id) => ({
      line: `PATCH ${users(tenantId, id)}`,
      body: { restrictedCapabilities: ['sign_in'] },
    }),
  },
  { operation: 'deleteUser', field: 'userId', request: (tenantId, id) => ({ line: `DELETE ${users(tenantId, id)}` }) },
  {
    operation: 'listUserSessions',
    field: 'userId',
    request: (tenantId, id) => ({ line: `GET ${users(tenantId, id)}/sessions` }),
  },
  {
    operation: 'endUserSessions',
    field: 'userId',
    request: (tenantId, id) => ({ line: `DELETE ${users(tenantId, id)}/sessions` }),
  },
  {
    operation: 'endUserSession',
    field: 'userId',
    request: (tenantId, id) => ({ line: `DELETE ${users(tenantId, id)}/sessions/unknown` }),
  },
  {
    operation: 'endUserSession',
    field: 'sessionId',
    request: (tenantId, id, { userId }) => ({
      line: `DELETE ${users(tenantId, userId)}/sessions/${encodeURIComponent(id)}`,
    }),
  },
  {
    operation: 'readUserProfile',
    field: 'userId',
    request: (tenantId, id) => ({ line: `GET ${users(tenantId, id)}/profile` }),
  },
  {
    operation: 'updateUserProfile',
    field: 'userId',
    request: (tenantId, id) => ({ line: `PATCH ${users(tenantId, id)}/profile`, body: { nick: 'stolen' } }),
  },
  {
    operation: 'listMessages',
    field: 'otpId',
    request: (tenantId, id) => ({ line: `GET ${outbox(tenantId)}?otpId=${encodeURIComponent(id)}` }),
  },
  {
    operation: 'listMessages',
    field: 'recipient',
    request: (tenantId, id) => ({ line: `GET ${outbox(tenantId)}?recipient=${encodeURIComponent(id)}` }),
  },
  {
    operation: 'retryMessage',
    field: 'messageId',
    request: (tenantId, id) => ({ line: `POST ${outbox(tenantId)}/${encodeURIComponent(id)}/retry` }),
  },
  {
    operation: 'listTestingChannelMessages',
    field: 'otpId',
    request: (tenantId, id) => ({ line: messages(tenantId, 'otpId', id) }),
  },
  {
    operation: 'listTestingChannelMessages',
    field: 'recipient',
    request: (tenantId, id) => ({ line: messages(tenantId, 'recipient', id) }),
  },
]
