import { z } from 'zod'
import { emailAddress } from '../email-address.ts'
import { givenTime, PageQuery, page, Timestamp } from '../envelope.ts'
import { operation } from '../operation.ts'
import { RoleName, ScopeName } from '../scope-names.ts'
import { scopes } from '../scopes.ts'
import { text } from '../text.ts'

/** Who a request under `/admin` comes from. */
export const CurrentOperator = z.strictObject({
  id: z.string().describe('`root` for the root key.'),
  name: z.string(),
  scopes: z.array(ScopeName),
  tenantIds: z.array(z.string()).nullable().describe('null: all tenants and the deployment.'),
  expiresAt: Timestamp.nullable(),
})
export type CurrentOperator = z.infer<typeof CurrentOperator>

/** An operator without the key, which is returned only on creation and rotation. */
export const Operator = CurrentOperator.extend({
  email: z.string().nullable(),
  createdBy: z.string().describe('The id of an operator, or `root`.'),
  createdAt: Timestamp,
  revokedAt: Timestamp.nullable(),
  lastUsedAt: Timestamp.nullable().describe('When the key was last used. Accurate to one minute.'),
})
export type Operator = z.infer<typeof Operator>

const OperatorWithKey = Operator.extend({
  key: z.string().describe('The key itself. Returned only once: store it.'),
})

const operatorPath = z.object({ operatorId: z.string() })

const name = text({ max: 200, printable: true })
const grants = {
  role: RoleName.optional().describe(
    'A name for a list of scopes, which is stored instead. Send either this or `scopes`.',
  ),
  scopes: z.array(ScopeName).min(1).max(scopes.length).optional(),
  tenantIds: z
    .array(z.string())
    .min(1)
    .max(100)
    .nullable()
    .optional()
    .describe('Binds the operator to these tenants. null: all tenants and the deployment.'),
  expiresAt: givenTime().nullable().optional().describe('null: never.'),
}

const eitherRoleOrScopes = (
  { role, scopes: named }: { role?: unknown; scopes?: unknown },
  context: z.RefinementCtx,
): void => {
  if (role === undefined || named === undefined) return
  context.addIssue({ code: 'custom', path: ['role'], message: 'Send either role or scopes, not both' })
}

export const createOperator = operation({
  method: 'POST',
  path: '/admin/operators',
  summary: 'Create an operator',
  description:
    'Creates an operator with a key. Only this response contains the key: store it. You can grant only what you have yourself: scopes, tenants and time.',
  auth: 'admin',
  scope: 'operators:write',
  idempotent: true,
  body: z.object({ name, email: emailAddress.nullable().optional(), ...grants }).superRefine((body, context) => {
    eitherRoleOrScopes(body, context)
    if (body.role === undefined && body.scopes === undefined)
      context.addIssue({ code: 'custom', path: ['scopes'], message: 'Required; send either role or scopes' })
  }),
  status: 201,
  output: OperatorWithKey,
  errors: [],
})

export const listOperators = operation({
  method: 'GET',
  path: '/admin/operators',
  summary: 'List operators',
  description: 'Returns all operators without their keys, oldest first, including expired and revoked ones.',
  auth: 'admin',
  scope: 'operators:read',
  query: PageQuery,
  status: 200,
  output: page(Operator),
  errors: [],
})

export const getOperator = operation({
  method: 'GET',
  path: '/admin/operators/:operatorId',
  summary: 'Read an operator',
  description: 'Returns the operator without the key, also when expired or revoked.',
  auth: 'admin',
  scope: 'operators:read',
  params: operatorPath,
  status: 200,
  output: Operator,
  errors: ['OPERATOR_NOT_FOUND'],
})

export const updateOperator = operation({
  method: 'PATCH',
  path: '/admin/operators/:operatorId',
  summary: 'Update an operator',
  description:
    'Changes only the given members, effective immediately. A change of scopes, tenants or expiry must leave the operator with nothing that you lack yourself.',
  auth: 'admin',
  scope: 'operators:write',
  params: operatorPath,
  body: z
    .object({ name: name.optional(), email: emailAddress.nullable().optional(), ...grants })
    .superRefine(eitherRoleOrScopes),
  status: 200,
  output: Operator,
  errors: ['OPERATOR_NOT_FOUND', 'LAST_OPERATOR'],
})

export const revokeOperator = operation({
  method: 'DELETE',
  path: '/admin/operators/:operatorId',
  summary: 'Revoke an operator',
  description:
    'The key and all console sessions of the operator end immediately, in every process. The operator stays in the list, because events name them.',
  auth: 'admin',
  scope: 'operators:write',
  params: operatorPath,
  status: 204,
  output: z.undefined(),
  errors: ['OPERATOR_NOT_FOUND', 'LAST_OPERATOR'],
})

export const rotateOperatorKey = operation({
  method: 'POST',
  path: '/admin/operators/:operatorId/rotate',
  summary: 'Rotate the key of an operator',
  description:
    'Creates another key for the same operator. The replaced key remains valid for `overlapHours`, and one that was replaced before no longer. Without an overlap, the console sessions of the operator end too. Refused for an operator who has more than you.',
  auth: 'admin',
  scope: 'operators:write',
  params: operatorPath,
  idempotent: true,
  body: z.object({ overlapHours: z.int().min(0).max(8760).default(24) }),
  status: 201,
  output: OperatorWithKey,
  errors: ['OPERATOR_NOT_FOUND'],
})

export const getCurrentOperator = operation({
  method: 'GET',
  path: '/admin/me',
  summary: 'Read the current operator',
  description: 'Returns who the request comes from, with scopes and tenants.',
  auth: 'admin',
  scope: 'any',
  reach: 'own',
  status: 200,
  output: z.strictObject({ operator: CurrentOperator }),
  errors: [],
})
