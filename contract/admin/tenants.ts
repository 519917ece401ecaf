import { z } from 'zod'
import { PageQuery, page, Timestamp } from '../envelope.ts'
import { operation } from '../operation.ts'
import { Capability } from '../tenants/capabilities.ts'
import { NewTenantModules, TenantModules, TenantModulesPatch } from '../tenants/tenant-modules.ts'
import { text } from '../text.ts'

const MiB = 1_048_576

/** A tenant as the operator sees it. */
export const Tenant = z.strictObject({
  id: z.string(),
  name: z.string(),
  suspended: z.boolean(),
  restrictedCapabilities: z.array(Capability),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})
export type Tenant = z.infer<typeof Tenant>

/** A tenant in a list. */
export const ListedTenant = Tenant.extend({
  users: z.int().nullable().describe('About a minute old; null until they have been counted.'),
})
export type ListedTenant = z.infer<typeof ListedTenant>

const tenantPath = z.object({ tenantId: z.string() })
const name = text({ max: 200, printable: true })
const settings = { restrictedCapabilities: z.array(Capability).max(20).optional(), suspended: z.boolean().optional() }

export const createTenant = operation({
  method: 'POST',
  path: '/admin/tenants',
  summary: 'Create a tenant',
  description: 'Creates a tenant with default `auth` and `otp` modules and an empty profile schema of version "1".',
  auth: 'admin',
  scope: 'tenants:write',
  idempotent: true,
  body: z.object({ name, ...settings }),
  status: 201,
  output: Tenant,
  errors: [],
})

export const listTenants = operation({
  method: 'GET',
  path: '/admin/tenants',
  summary: 'List tenants',
  description:
    'Returns the tenants, except deleted ones, and how many users each has. An operator bound to tenants sees only those.',
  auth: 'admin',
  scope: 'tenants:read',
  reach: 'own',
  query: PageQuery.extend({
    q: text({ max: 200 }).optional().describe('The beginning of the name, in any case, or of the id.'),
    order: z.enum(['newest', 'oldest']).optional().describe('Default: `oldest`.'),
  }),
  status: 200,
  output: page(ListedTenant),
  errors: [],
})

export const getTenant = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId',
  summary: 'Read a tenant',
  description: 'Returns the name of the tenant and its restrictions. Its settings are in the configuration.',
  auth: 'admin',
  scope: 'tenants:read',
  params: tenantPath,
  status: 200,
  output: Tenant,
  errors: ['TENANT_NOT_FOUND'],
})

export const updateTenant = operation({
  method: 'PATCH',
  path: '/admin/tenants/:tenantId',
  summary: 'Update a tenant',
  description:
    'Changes only the given members. Requests of a suspended tenant fail with TENANT_SUSPENDED, effective immediately; a restricted capability fails with RESTRICTED_CAPABILITY.',
  auth: 'admin',
  scope: 'tenants:write',
  params: tenantPath,
  body: z.object({ name: name.optional(), ...settings }),
  status: 200,
  output: Tenant,
  errors: ['TENANT_NOT_FOUND'],
})

export const deleteTenant = operation({
  method: 'DELETE',
  path: '/admin/tenants/:tenantId',
  summary: 'Delete a tenant',
  description: 'Its keys are revoked immediately. Its data is deleted in the background, starting five minutes later.',
  auth: 'admin',
  scope: 'tenants:write',
  params: tenantPath,
  status: 204,
  output: z.undefined(),
  errors: ['TENANT_NOT_FOUND'],
})

export const readConfiguration = operation({
  method: 'GET',
  path: '/admin/tenants/:tenantId/configuration',
  summary: 'Read the configuration',
  description: 'Returns all modules as stored, including those that are never public.',
  auth: 'admin',
  scope: 'configuration:read',
  params: tenantPath,
  status: 200,
  output: TenantModules,
  revisioned: true,
  errors: ['TENANT_NOT_FOUND'],
})

export const replaceConfiguration = operation({
  method: 'PUT',
  path: '/admin/tenants/:tenantId/configuration',
  summary: 'Replace the configuration',
  description: 'Replaces all modules. Module names that are reserved for later versions are rejected.',
  auth: 'admin',
  scope: 'configuration:write',
  params: tenantPath,
  body: NewTenantModules,
  maxBodyBytes: MiB,
  status: 200,
  output: TenantModules,
  revisioned: true,
  errors: ['TENANT_NOT_FOUND', 'PRECONDITION_FAILED'],
})

export const updateConfiguration = operation({
  method: 'PATCH',
  path: '/admin/tenants/:tenantId/configuration',
  summary: 'Update the configuration',
  description: 'Applies a JSON merge patch (RFC 7396): objects are merged, null removes a key.',
  auth: 'admin',
  scope: 'configuration:write',
  params: tenantPath,
  body: TenantModulesPatch,
  maxBodyBytes: MiB,
  status: 200,
  output: TenantModules,
  revisioned: true,
  errors: ['TENANT_NOT_FOUND', 'PRECONDITION_FAILED'],
})
