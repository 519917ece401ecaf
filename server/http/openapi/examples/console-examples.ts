import type { consoleOperations } from '../../../../contract/operations.ts'
import { ids } from './demo-tenant.ts'
import type { ExamplesOf } from './example.ts'

const operator = { id: ids.operator, name: 'Kim', scopes: ['users:write' as const], tenantIds: [ids.tenant] }
const session = { operator, expiresAt: '2026-02-01T00:00:00.000Z' }

/** Examples of the session of the console. */
export const consoleExamples: {
  readonly [Name in keyof typeof consoleOperations]: ExamplesOf<(typeof consoleOperations)[Name]>
} = {
  createConsoleSession: {
    bodies: { key: { key: `op_${ids.operator}_EXAMPLE` } },
    answers: { signedIn: session },
  },
  getConsoleSession: { answers: { signedIn: session, signedOut: { operator: null, expiresAt: null } } },
  endConsoleSession: {},
}
