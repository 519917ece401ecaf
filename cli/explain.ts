import type { ErrorCode } from '../contract/errors.ts'
import { TenantryConnectionError, TenantryError, TenantryTimeoutError } from '../packages/client/src/admin.ts'
import { shown } from './layout.ts'

/** Advice that the message of the service cannot give. */
const advice: Partial<Record<ErrorCode, string>> = {
  MISSING_ADMIN_KEY: 'Set TENANTRY_ADMIN_KEY.',
  INVALID_ADMIN_KEY:
    'Set TENANTRY_ADMIN_KEY to a valid key, or unset it to use the stored key of a development server.',
  NOT_FOUND: 'If the server has ADMIN_PORT set, the admin API is on that port. Use it in --url or TENANTRY_URL.',
  TENANT_NOT_FOUND: 'Run "tenantry tenant list" to see the ids of all tenants.',
  TENANT_KEY_NOT_FOUND: 'Run "tenantry key list" to see the ids of all keys of the tenant.',
  MESSAGE_NOT_FOUND: 'Run "tenantry messages list" to see the ids of messages.',
  SESSION_NOT_FOUND: 'Run "tenantry user sessions <user>" to see the ids of open sessions.',
  USER_NOT_FOUND: 'Run "tenantry user list" to see the ids of users.',
}

/** The text of an error: what happened, with one line per invalid field, and what to do. */
export function explain(error: unknown): string {
  if (error instanceof TenantryError) return explainRefusal(error)
  // The client's `baseUrl` is the option --url here.
  const message = error instanceof Error ? error.message.replaceAll('baseUrl', '--url') : String(error)
  if (!(error instanceof TenantryConnectionError) || error instanceof TenantryTimeoutError) return message
  return `${message}\nStart the server with "npm start", or set its URL with --url or TENANTRY_URL.`
}

function explainRefusal({ code, status, message, validation, requestId }: TenantryError): string {
  const fields = Object.entries(validation ?? {}).map(([field, problem]) => `  ${shown(field)}: ${shown(problem)}`)
  const lines = [
    fields.length > 0 ? 'The server rejected the request:' : message,
    ...fields,
    ...(advice[code] ? [advice[code]] : []),
    ...(status >= 500 ? [`See the server's log for request id ${requestId}.`] : []),
  ]
  return `${lines.join('\n')}\n(${code}, ${status})`
}
