import { z } from 'zod'
import { givenTime, PageQuery, page, Timestamp } from '../envelope.ts'
import { operation } from '../operation.ts'
import { text } from '../text.ts'

/** `publishable` may be part of an app; `secret` stays on the tenant's server. */
export const KeyKind = z.enum(['publishable', 'secret'])
export type KeyKind = z.infer<typeof KeyKind>

/** A tenant key without its secret, which is returned only on creation. */
export const TenantKey = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: KeyKind,
  createdAt: Timestamp,
  expiresAt: Timestamp.nullable(),
  revokedAt: Timestamp.nullable(),
  lastUsedAt: Timestamp.nullable().describe('Accurate to one minute.'),
})
export type TenantKey = z.infer<typeof TenantKey>

const CreatedKey = z.strictObject({
  id: z.string(),
  name: z.string(),
  kind: KeyKind,
  key: z.string().describe('The key itself. Returned only once: store it.'),
  createdAt: Timestamp,
  expiresAt: Timestamp.nullable(),
})

const tenantPath = z.object({ tenantId: z.string() })
const keyPath = z.object({ tenantId: z.string(), keyId: z.string() })

export const createTenantKey = operation({
  method: 'POST',
  path: '/admin/tenants/:tenantId/keys',
  summary: 'Create a tenant key',
  description:
    'Creates a key for the client applications of the tenant. Only this response contains the key: store it. A publishable key may ship in an app; a secret key stays on a server and may name the address of its user in `X-Client-IP`.',
  auth: 'admin',
  scope: 'keys:write',
  params: tenantPath,
  idempotent: true,
  body: z.object({
    name: text({ max: 200, printable: true }).default('default'),
    kind: KeyKind.default('publishable'),
    expiresAt: givenTime().optional(),
  }),
  status: 201,
  output: CreatedKey,
  errors: ['TENANT_NOT_FOUND'],
})

export const listTenantKeys = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/keys',
  summary: 'List tenant keys',
  description:
    'Returns all keys of the tenant without their secrets, oldest first, including expired and revoked ones.',
  auth: 'admin',
  scope: 'keys:read',
  params: tenantPath,
  query: PageQuery,
  status: 200,
  output: page(TenantKey),
  errors: ['TENANT_NOT_FOUND'],
})

export const revokeTenantKey = operation({
  method: 'DELETE',
  path: '/admin/tenants/:tenantId/keys/:keyId',
  summary: 'Revoke a tenant key',
  description: 'Takes effect immediately in every process.',
  auth: 'admin',
  scope: 'keys:write',
  params: keyPath,
  status: 204,
  output: z.undefined(),
  errors: ['TENANT_NOT_FOUND', 'TENANT_KEY_NOT_FOUND'],
})

export const rotateTenantKey = operation({
  method: 'POST',
  path: '/admin/tenants/:tenantId/keys/:keyId/rotate',
  summary: 'Rotate a tenant key',
  description: 'Creates a key of the same name and kind. The old key remains valid for `overlapSeconds`.',
  auth: 'admin',
  scope: 'keys:write',
  params: keyPath,
  idempotent: true,
  body: z.object({
    overlapSeconds: z.int().min(0).max(31_536_000).default(86_400),
  }),
  status: 201,
  output: CreatedKey,
  errors: ['TENANT_NOT_FOUND', 'TENANT_KEY_NOT_FOUND'],
})
