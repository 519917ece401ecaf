import type { z } from 'zod'
import type { Operation } from '../../../contract/operation.ts'
import type { IdPosition } from './id-position.ts'
import { operatorPositions } from './operator-id-positions.ts'

/** Fields that name something, besides those that are called an id and the parameters of paths. */
const names = new Set([
  ...['token', 'recipient', 'email', 'phone', 'version', 'schemaVersion', 'refreshToken', 'idToken', 'form'],
  ...['from', 'to', 'actor', 'subject'],
])
/** They name no row of a tenant. */
const ofTheDeployment = new Set(['tenantId', 'operatorId', 'lastEventId'])
/** These send to or create something with an address, so a user elsewhere with that address is not affected. */
export const newHere: ReadonlySet<string> = new Set([
  ...['createUser email', 'createUser phone', 'issueOtp email', 'issueOtp phone', 'signUp email'],
  ...['addIdentity email', 'changeEmail email', 'changePhone phone', 'updateUser email', 'updateUser phone'],
  ...['createOperator email', 'updateOperator email'],
  ...['importUsers id', 'importUsers email', 'importUsers phone', 'sendTestMessage to'],
])

/** The places of an operation for an id or its equivalent. */
export function idFieldsOf(name: string, { params, query, body, bodyLines }: Operation): string[] {
  const schemas = [query, body, bodyLines].filter((schema) => schema !== undefined)
  const named = schemas.flatMap(fieldsOf).filter((field) => /^id$|Id$/.test(field) || names.has(field))
  const fields = new Set([...(params === undefined ? [] : fieldsOf(params)), ...named])
  return [...fields].filter((field) => !ofTheDeployment.has(field) && !newHere.has(`${name} ${field}`))
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

/** The places in operations of client applications. */
const clientPositions: readonly IdPosition[] = [
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
    operation: 'updateProfile',
    field: 'form',
    asUser: true,
    request: (_, id) => ({ line: `PATCH /account/profile?form=${encodeURIComponent(id)}&step=form`, body: {} }),
  },
  {
    operation: 'getFormState',
    field: 'form',
    asUser: true,
    request: (_, id) => ({ line: `GET /account/profile/forms/${encodeURIComponent(id)}` }),
  },
  {
    operation: 'getTenantConfiguration',
    field: 'schemaVersion',
    request: (_, id) => ({ line: `GET /tenant-configuration?schemaVersion=${encodeURIComponent(id)}` }),
  },
]

export const idPositions: readonly IdPosition[] = [...clientPositions, ...operatorPositions]
