import type { z } from 'zod'
import type { Operation } from '../contract/operation.ts'
import type { OperationName } from '../contract/operations.ts'
import type { OtpScope } from '../contract/otp.ts'

/** A place of an operation where an id goes, and a request that has one there and is right in all else. */
export interface IdPosition {
  readonly operation: OperationName
  readonly field: string
  /** The id only means something together with a scope. */
  readonly scoped?: boolean
  request(
    tenantId: string,
    id: string,
    otp: { scope: OtpScope | undefined; code: string },
  ): { line: string; body?: unknown }
}

const names = new Set([
  ...['id', 'token', 'keyId', 'userId', 'sessionId', 'identityId', 'messageId', 'otpId'],
  ...['recipient', 'email', 'phone', 'version', 'schemaVersion', 'refreshToken', 'idToken'],
])
/** Whoever has such an address elsewhere is not meant: these make something new with it. */
const newHere = new Set([
  ...['createUser email', 'createUser phone', 'issueOtp email', 'issueOtp phone', 'signUp email'],
  ...['addIdentity email', 'changeEmail email', 'changePhone phone', 'sendTestMessage email'],
])

/** The places of an operation where an id, or what is as good as one, goes. */
export function idFieldsOf(name: string, { params, query, body }: Operation): string[] {
  const schemas = [params, query, body].filter((schema) => schema !== undefined)
  const fields = new Set(schemas.flatMap(fieldsOf).filter((field) => names.has(field)))
  return [...fields].filter((field) => !newHere.has(`${name} ${field}`))
}

function fieldsOf(schema: z.ZodType): string[] {
  if ('shape' in schema) return Object.keys(schema.shape as object)
  if ('options' in schema && Array.isArray(schema.options)) return schema.options.flatMap(fieldsOf)
  return []
}

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
    request: (_, token) => ({
      line: 'POST /auth/reset-password',
      body: { step: 'confirm', token, password: 'long enough' },
    }),
  },
  {
    operation: 'resetPassword',
    field: 'email',
    request: (_, email) => ({ line: 'POST /auth/reset-password', body: { step: 'challenge', email } }),
  },
  {
    operation: 'signIn',
    field: 'email',
    request: (_, email) => ({
      line: 'POST /auth/sign-in',
      body: { method: 'password', email, password: 'correct horse' },
    }),
  },
  {
    operation: 'signUp',
    field: 'token',
    request: (_, token) => ({
      line: 'POST /auth/sign-up',
      body: { method: 'password', email: 'new@example.com', password: 'long enough', token },
    }),
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
  {
    operation: 'listUsers',
    field: 'email',
    request: (tenantId, id) => ({ line: `GET /admin/tenants/${tenantId}/users?email=${encodeURIComponent(id)}` }),
  },
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
