import { TenantryConnectionError, TenantryError, TenantryTimeoutError } from '../client/client.ts'
import type { ErrorCode } from '../contract/errors.ts'
import { shown } from './layout.ts'

/** What to do next, where the service's own message cannot know it. */
const advice: Partial<Record<ErrorCode, string>> = {
  MISSING_ADMIN_KEY: 'Set TENANTRY_ADMIN_KEY to the key the server was started with.',
  INVALID_ADMIN_KEY: 'Set TENANTRY_ADMIN_KEY to the key the server was started with, or unset it to use the kept one.',
  NOT_FOUND:
    'The admin API may be on another port: if the server has ADMIN_PORT set, name that port with --url or TENANTRY_URL.',
  TENANT_NOT_FOUND: '"tenantry tenant list" shows the ids of all tenants.',
  TENANT_KEY_NOT_FOUND:
    '"tenantry key list" shows the ids of a tenant\'s keys. One that is revoked or expired stays so.',
  MESSAGE_NOT_FOUND: '"tenantry messages list" shows the ids of a tenant\'s messages.',
  SESSION_NOT_FOUND: '"tenantry user sessions <user>" shows the ids of the sessions that are open.',
  USER_NOT_FOUND: '"tenantry user list" shows the ids of a tenant\'s users.',
}

/** An error in plain words: what happened, field by field where there are fields, and what to do. */
export function explain(error: unknown): string {
  if (error instanceof TenantryError) return explainRefusal(error)
  // The client is used by programs: what they call baseUrl is --url here.
  const message = error instanceof Error ? error.message.replaceAll('baseUrl', '--url') : String(error)
  if (!(error instanceof TenantryConnectionError) || error instanceof TenantryTimeoutError) return message
  return `${message}\nStart the server with "npm start", or say where it is with --url or TENANTRY_URL.`
}

function explainRefusal({ code, status, message, validation, requestId }: TenantryError): string {
  const fields = Object.entries(validation ?? {}).map(([field, problem]) => `  ${shown(field)}: ${shown(problem)}`)
  const lines = [
    fields.length > 0 ? 'The server refused what was sent:' : message,
    ...fields,
    ...(advice[code] ? [advice[code]] : []),
    ...(status >= 500 ? [`The server's log says more under the request id ${requestId}.`] : []),
  ]
  return `${lines.join('\n')}\n(${code}, ${status})`
}
