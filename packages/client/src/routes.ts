import type { Operation } from '../../../contract/operation.ts'
import type { OperationName, Operations } from '../../../contract/operations.ts'

/** The part of the request that carries the input. */
type Takes<O> = O extends { readonly body: object }
  ? { readonly takes: 'body' }
  : O extends { readonly bodyLines: object }
    ? { readonly takes: O extends { readonly query: object } ? 'lines, query' : 'lines' }
    : O extends { readonly query: object }
      ? { readonly takes: 'query' }
      : { readonly takes?: undefined }

type Gives<O> = O extends { readonly outputLines: true }
  ? { readonly gives: 'lines' }
  : O extends { readonly outputText: string }
    ? { readonly gives: 'text' }
    : { readonly gives?: undefined }

type Enveloped<O> = O extends { readonly envelope: false }
  ? { readonly envelope: false }
  : { readonly envelope?: undefined }

/** A row of `routes`, which must equal the declaration in `contract/`. */
export type RouteOf<O extends Operation> = {
  readonly method: O['method']
  readonly path: O['path']
  readonly auth: O['auth']
} & Takes<O> &
  Gives<O> &
  Enveloped<O>

/** Any row of `routes`. */
export interface Route {
  readonly method: Operation['method']
  readonly path: Operation['path']
  readonly auth: Operation['auth']
  readonly takes?: 'body' | 'query' | 'lines' | 'lines, query'
  readonly gives?: 'lines' | 'text'
  readonly envelope?: false
}

/**
 * The route of each operation. Repeats `contract/` so that browsers need not load its Zod schemas; a row that differs from
 * the contract does not compile.
 */
export const routes = {
  issueOtp: { method: 'POST', path: '/otp', auth: 'tenant, user?', takes: 'body' },
  verifyOtp: { method: 'POST', path: '/otp/verify', auth: 'tenant', takes: 'body' },
  resendOtp: { method: 'POST', path: '/otp/resend', auth: 'tenant', takes: 'body' },
  getOtpStatus: { method: 'POST', path: '/otp/status', auth: 'tenant', takes: 'body' },
  resetPassword: { method: 'POST', path: '/auth/reset-password', auth: 'tenant', takes: 'body' },
  signUp: { method: 'POST', path: '/auth/sign-up', auth: 'tenant', takes: 'body' },
  signIn: { method: 'POST', path: '/auth/sign-in', auth: 'tenant', takes: 'body' },
  stepUp: { method: 'POST', path: '/auth/step-up', auth: 'tenant, user', takes: 'body' },
  refreshSession: { method: 'POST', path: '/auth/refresh', auth: 'tenant', takes: 'body' },
  signOut: { method: 'POST', path: '/auth/sign-out', auth: 'tenant, user', takes: 'body' },
  getTenantConfiguration: {
    method: 'GET',
    path: '/tenant-configuration',
    auth: 'tenant',
    takes: 'query',
    envelope: false,
  },
  getAccount: { method: 'GET', path: '/account', auth: 'tenant, user' },
  deleteAccount: { method: 'DELETE', path: '/account', auth: 'tenant, user' },
  getProfile: { method: 'GET', path: '/account/profile', auth: 'tenant, user' },
  updateProfile: { method: 'PATCH', path: '/account/profile', auth: 'tenant, user', takes: 'body' },
  changePassword: { method: 'POST', path: '/account/password', auth: 'tenant, user', takes: 'body' },
  changeEmail: { method: 'POST', path: '/account/email', auth: 'tenant, user', takes: 'body' },
  changePhone: { method: 'POST', path: '/account/phone', auth: 'tenant, user', takes: 'body' },
  listSessions: { method: 'GET', path: '/account/sessions', auth: 'tenant, user' },
  endSession: { method: 'DELETE', path: '/account/sessions/:sessionId', auth: 'tenant, user' },
  addIdentity: { method: 'POST', path: '/account/identities', auth: 'tenant, user', takes: 'body' },
  removeIdentity: { method: 'DELETE', path: '/account/identities/:identityId', auth: 'tenant, user' },
  exportAccount: { method: 'GET', path: '/account/export', auth: 'tenant, user' },
  recoverAccount: { method: 'POST', path: '/account/recover', auth: 'tenant', takes: 'body' },

  createTenant: { method: 'POST', path: '/admin/tenants', auth: 'admin', takes: 'body' },
  listTenants: { method: 'GET', path: '/admin/tenants', auth: 'admin', takes: 'query' },
  getTenant: { method: 'GET', path: '/admin/tenants/:tenantId', auth: 'admin' },
  updateTenant: { method: 'PATCH', path: '/admin/tenants/:tenantId', auth: 'admin', takes: 'body' },
  deleteTenant: { method: 'DELETE', path: '/admin/tenants/:tenantId', auth: 'admin' },
  readConfiguration: { method: 'GET', path: '/admin/tenants/:tenantId/configuration', auth: 'admin' },
  replaceConfiguration: {
    method: 'PUT',
    path: '/admin/tenants/:tenantId/configuration',
    auth: 'admin',
    takes: 'body',
  },
  updateConfiguration: {
    method: 'PATCH',
    path: '/admin/tenants/:tenantId/configuration',
    auth: 'admin',
    takes: 'body',
  },
  readProfileSchema: { method: 'GET', path: '/admin/tenants/:tenantId/profile-schema', auth: 'admin', takes: 'query' },
  publishProfileSchema: {
    method: 'PUT',
    path: '/admin/tenants/:tenantId/profile-schema',
    auth: 'admin',
    takes: 'body',
  },
  checkProfileSchema: {
    method: 'POST',
    path: '/admin/tenants/:tenantId/profile-schema/check',
    auth: 'admin',
    takes: 'body',
  },
  previewMessage: {
    method: 'POST',
    path: '/admin/tenants/:tenantId/delivery/preview',
    auth: 'admin',
    takes: 'body',
  },
  sendTestMessage: { method: 'POST', path: '/admin/tenants/:tenantId/delivery/test', auth: 'admin', takes: 'body' },
  createTenantKey: { method: 'POST', path: '/admin/tenants/:tenantId/keys', auth: 'admin', takes: 'body' },
  listTenantKeys: { method: 'GET', path: '/admin/tenants/:tenantId/keys', auth: 'admin', takes: 'query' },
  revokeTenantKey: { method: 'DELETE', path: '/admin/tenants/:tenantId/keys/:keyId', auth: 'admin' },
  rotateTenantKey: {
    method: 'POST',
    path: '/admin/tenants/:tenantId/keys/:keyId/rotate',
    auth: 'admin',
    takes: 'body',
  },
  createUser: { method: 'POST', path: '/admin/tenants/:tenantId/users', auth: 'admin', takes: 'body' },
  listUsers: { method: 'GET', path: '/admin/tenants/:tenantId/users', auth: 'admin', takes: 'query' },
  getUser: { method: 'GET', path: '/admin/tenants/:tenantId/users/:userId', auth: 'admin' },
  updateUser: { method: 'PATCH', path: '/admin/tenants/:tenantId/users/:userId', auth: 'admin', takes: 'body' },
  deleteUser: { method: 'DELETE', path: '/admin/tenants/:tenantId/users/:userId', auth: 'admin' },
  importUsers: {
    method: 'POST',
    path: '/admin/tenants/:tenantId/users/import',
    auth: 'admin',
    takes: 'lines',
    gives: 'lines',
  },
  exportUsers: {
    method: 'GET',
    path: '/admin/tenants/:tenantId/users/export',
    auth: 'admin',
    takes: 'query',
    gives: 'lines',
  },
  listUserSessions: { method: 'GET', path: '/admin/tenants/:tenantId/users/:userId/sessions', auth: 'admin' },
  endUserSessions: { method: 'DELETE', path: '/admin/tenants/:tenantId/users/:userId/sessions', auth: 'admin' },
  endUserSession: {
    method: 'DELETE',
    path: '/admin/tenants/:tenantId/users/:userId/sessions/:sessionId',
    auth: 'admin',
  },
  readUserProfile: { method: 'GET', path: '/admin/tenants/:tenantId/users/:userId/profile', auth: 'admin' },
  updateUserProfile: {
    method: 'PATCH',
    path: '/admin/tenants/:tenantId/users/:userId/profile',
    auth: 'admin',
    takes: 'body',
  },
  listMessages: { method: 'GET', path: '/admin/tenants/:tenantId/messages', auth: 'admin', takes: 'query' },
  retryMessage: { method: 'POST', path: '/admin/tenants/:tenantId/messages/:messageId/retry', auth: 'admin' },
  listTestingChannelMessages: { method: 'GET', path: '/admin/testing-channel/messages', auth: 'admin', takes: 'query' },
  listSigningKeys: { method: 'GET', path: '/admin/signing-keys', auth: 'admin' },
  rotateSigningKeys: { method: 'POST', path: '/admin/signing-keys/rotate', auth: 'admin', takes: 'body' },

  getJwks: { method: 'GET', path: '/.well-known/jwks.json', auth: 'none', envelope: false },
  getOpenIdConfiguration: { method: 'GET', path: '/.well-known/openid-configuration', auth: 'none', envelope: false },
  getLiveness: { method: 'GET', path: '/healthz', auth: 'none', envelope: false },
  getReadiness: { method: 'GET', path: '/readyz', auth: 'none', envelope: false },
  getMetrics: { method: 'GET', path: '/metrics', auth: 'admin', gives: 'text', envelope: false },
  getOpenApi: { method: 'GET', path: '/openapi.json', auth: 'none', envelope: false },
} as const satisfies { readonly [Name in OperationName]: RouteOf<Operations[Name]> }
