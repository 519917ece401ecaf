import type { IdPosition } from './id-position.ts'

const users = (tenantId: string, id: string) => `/admin/tenants/${tenantId}/users/${encodeURIComponent(id)}`
const schemaVersions = (tenantId: string) => `/admin/tenants/${tenantId}/profile-schema/versions`
const keys = (tenantId: string, id: string) => `/admin/tenants/${tenantId}/keys/${encodeURIComponent(id)}`
const outbox = (tenantId: string) => `/admin/tenants/${tenantId}/messages`
const messages = (tenantId: string, field: string, id: string) =>
  `GET /admin/testing-channel/messages?tenantId=${tenantId}&${field}=${encodeURIComponent(id)}`

/** The places in operations of the operator. */
export const operatorPositions: readonly IdPosition[] = [
  {
    operation: 'readProfileSchema',
    field: 'version',
    request: (tenantId, id) => ({
      line: `GET /admin/tenants/${tenantId}/profile-schema?version=${encodeURIComponent(id)}`,
    }),
  },
  {
    operation: 'readProfileSchemaVersion',
    field: 'version',
    request: (tenantId, id) => ({ line: `GET ${schemaVersions(tenantId)}/${encodeURIComponent(id)}` }),
  },
  {
    operation: 'diffProfileSchemas',
    field: 'from',
    request: (tenantId, id) => ({
      line: `GET /admin/tenants/${tenantId}/profile-schema/diff?from=${encodeURIComponent(id)}`,
    }),
  },
  {
    operation: 'diffProfileSchemas',
    field: 'to',
    request: (tenantId, id) => ({
      line: `GET /admin/tenants/${tenantId}/profile-schema/diff?from=1&to=${encodeURIComponent(id)}`,
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
  {
    operation: 'listUserIdentities',
    field: 'userId',
    request: (tenantId, id) => ({ line: `GET ${users(tenantId, id)}/identities` }),
  },
  {
    operation: 'removeUserIdentity',
    field: 'userId',
    request: (tenantId, id) => ({ line: `DELETE ${users(tenantId, id)}/identities/unknown` }),
  },
  {
    operation: 'removeUserIdentity',
    field: 'identityId',
    request: (tenantId, id, { userId }) => ({
      line: `DELETE ${users(tenantId, userId)}/identities/${encodeURIComponent(id)}`,
    }),
  },
  {
    operation: 'sendPasswordReset',
    field: 'userId',
    request: (tenantId, id) => ({ line: `POST ${users(tenantId, id)}/reset-password` }),
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
  ...(['listEvents', 'listDeploymentEvents'] as const).flatMap((operation) =>
    (['actor', 'subject', 'requestId'] as const).map(
      (field): IdPosition => ({
        operation,
        field,
        request: (tenantId, id) => {
          const log = operation === 'listEvents' ? `/admin/tenants/${tenantId}/events` : '/admin/events'
          return { line: `GET ${log}?${field}=${encodeURIComponent(id)}` }
        },
      }),
    ),
  ),
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
