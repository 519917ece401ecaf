import { z } from 'zod'
import { Timestamp } from '../envelope.ts'
import { operation } from '../operation.ts'
import { ScopeName } from '../scope-names.ts'
import { text } from '../text.ts'

const SignedInOperator = z.strictObject({
  id: z.string().describe('`root` for the root key.'),
  name: z.string(),
  scopes: z.array(ScopeName),
  tenantIds: z.array(z.string()).nullable().describe('The tenants that the operator may reach; null for all.'),
})
const expiresAt = 'When the session ends at the latest. 30 minutes without a request end it earlier.'

export const createConsoleSession = operation({
  method: 'POST',
  path: '/admin/session',
  summary: 'Sign in to the console',
  description:
    "Starts a session in this browser with the root key or an operator's key. Its cookie is HttpOnly and takes the place of the key in `Authorization`: only for pages of this server, and for changes only with the header `X-Tenantry-Console: 1`. A session that the browser had is ended.",
  auth: 'console',
  limit: 'console-sign-in',
  body: z.object({ key: text({ max: 500 }) }),
  status: 201,
  output: z.strictObject({ operator: SignedInOperator, expiresAt: Timestamp.describe(expiresAt) }),
  setsCookie: true,
  errors: ['INVALID_ADMIN_KEY'],
})

export const getConsoleSession = operation({
  method: 'GET',
  path: '/admin/session',
  summary: 'Read the console session',
  description:
    'Returns the operator that is signed in to the console in this browser. Both members are null without a session, or when it has ended.',
  auth: 'console',
  status: 200,
  output: z.strictObject({
    operator: SignedInOperator.nullable(),
    expiresAt: Timestamp.nullable().describe(expiresAt),
  }),
  errors: [],
})

export const endConsoleSession = operation({
  method: 'DELETE',
  path: '/admin/session',
  summary: 'Sign out of the console',
  description: 'Ends the session of this browser and clears its cookie; 204 also without a session.',
  auth: 'console',
  query: z.object({
    all: z.enum(['true', 'false']).optional().describe('`true` ends all sessions of this operator.'),
  }),
  status: 204,
  output: z.undefined(),
  setsCookie: true,
  errors: [],
})
