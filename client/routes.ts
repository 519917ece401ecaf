import type { Operation } from '../contract/operation.ts'
import type { OperationName, Operations } from '../contract/operations.ts'

/** Which part of the request carries the operation's input. */
type Takes<O> = O extends { readonly body: object }
  ? { readonly takes: 'body' }
  : O extends { readonly query: object }
    ? { readonly takes: 'query' }
    : { readonly takes?: undefined }

type Enveloped<O> = O extends { readonly envelope: false }
  ? { readonly envelope: false }
  : { readonly envelope?: undefined }

/** A row of `routes`: what the contract declares of an operation, to the letter. */
export type RouteOf<O extends Operation> = {
  readonly method: O['method']
  readonly path: O['path']
  readonly auth: O['auth']
} & Takes<O> &
  Enveloped<O>

/** Any row of `routes`. */
export interface Route {
  readonly method: Operation['method']
  readonly path: Operation['path']
  readonly auth: Operation['auth']
  readonly takes?: 'body' | 'query'
  readonly envelope?: false
}

/**
 * Where each operation is. The contract says the same, but its declarations are Zod schemas, and those would come along
 * into every browser: so it is said again here, and a row that differs from the contract does not compile.
 */
export const routes = {
  issueOtp: { method: 'POST', path: '/otp', auth: 'tenant, user?', takes: 'body' },
  verifyOtp: { method: 'POST', path: '/otp/verify', auth: 'tenant', takes: 'body' },
  resendOtp: { method: 'POST', path: '/otp/resend', auth: 'tenant', takes: 'body' },
  getOtpStatus: { method: 'POST', path: '/otp/status', auth: 'tenant', takes: 'body' },
  resetPassword: { method: 'POST', path: '/auth/reset-password', auth: 'tenant', takes: 'body' },
  signUp: { method: 'POST', path: '/auth/sign-up', auth: 'tenant', takes: 'body' },
  signIn: { method: 'POST', path: '/auth/sign-in', auth: 'tenant', takes: 'body' },
  getTenantConfiguration: {
    method: 'GET',
    path: '/tenant-configuration',
    auth: 'tenant',
    takes: 'query',
    envelope: false,
  },
  getProfile: { method: 'GET', path: '/account/profile', auth: 'tenant, user' },
  updateProfile: { method: 'PATCH', path: '/account/profile', auth: 'tenant, user', takes: 'body' },

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

  getJwks: { method: 'GET', path: '/.well-known/jwks.json', auth: 'none', envelope: false },
  getLiveness: { method: 'GET', path: '/healthz', auth: 'none', envelope: false },
  getReadiness: { method: 'GET', path: '/readyz', auth: 'none', envelope: false },
  getOpenApi: { method: 'GET', path: '/openapi.json', auth: 'none', envelope: false },
} as const satisfies { readonly [Name in OperationName]: RouteOf<Operations[Name]> }
