import type { ErrorCode } from '../../contract/errors.ts'
import { RULE_NOT_MET } from '../../contract/fields/messages.ts'
import { fieldsInWords } from '../../contract/fields/rule-in-words.ts'
import { TenantryConnectionError, TenantryError, TenantryTimeoutError } from '../../packages/client/src/admin.ts'
import { isUntrusted } from '../../server/core/tls-advice.ts'
import { shown } from './layout.ts'

/** Advice that the message of the service cannot give. */
const advice: Partial<Record<ErrorCode, string>> = {
  OPERATOR_NOT_FOUND: 'Run "tenantry operator list" to see the ids of all operators.',
  NOT_FOUND: 'If the server has ADMIN_PORT set, the admin API is on that port. Use it in --url or TENANTRY_URL.',
  TENANT_NOT_FOUND: 'Run "tenantry tenant list" to see the ids of all tenants.',
  TENANT_KEY_NOT_FOUND: 'Run "tenantry key list" to see the ids of all keys of the tenant.',
  MESSAGE_NOT_FOUND: 'Run "tenantry messages list" to see the ids of messages.',
  SESSION_NOT_FOUND: 'Run "tenantry user sessions <user>" to see the ids of open sessions.',
  USER_NOT_FOUND: 'Run "tenantry user list" to see the ids of users.',
}

const phoneRule = 'a valid number with + and its country code, such as +33612345678'

/** The rule of values whose message does not name it; for fields of a profile, the response does. */
const rules: Readonly<Record<string, string>> = {
  [`phone: ${RULE_NOT_MET}`]: phoneRule,
  [`to: ${RULE_NOT_MET}`]: phoneRule,
  [`expiresAt: ${RULE_NOT_MET}`]: 'a time in the future',
}

/** Refusals of the key itself, or of what it may do. */
const ofKey: ReadonlySet<ErrorCode> = new Set(['MISSING_ADMIN_KEY', 'INVALID_ADMIN_KEY', 'INSUFFICIENT_SCOPE'])

/**
 * The text of an error: what happened, with one line per invalid field, and what to do.
 * @param sourceOfKey where the key of the command was found
 */
export function explain(error: unknown, sourceOfKey: () => string | null = () => null): string {
  if (error instanceof TenantryError) return explainRefusal(error, ofKey.has(error.code) ? sourceOfKey() : null)
  const message = error instanceof Error ? withOption(error.message) : String(error)
  if (!(error instanceof TenantryConnectionError) || error instanceof TenantryTimeoutError) return message
  return `${message}\n${adviceOn(error)}`
}

/** What to do about an answer that did not arrive; Node gives the code of the reason in the cause of the error of `fetch`. */
function adviceOn({ cause }: TenantryConnectionError): string {
  const { code = '' } = ((cause as Error | undefined)?.cause ?? {}) as { code?: string }
  if (isUntrusted(code))
    return 'Its certificate is not from an authority that this machine trusts: set NODE_EXTRA_CA_CERTS to a file with the certificate of its authority.'
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'Use a host name of its certificate in --url or TENANTRY_URL.'
  if (code.startsWith('CERT_')) return 'Renew the certificate of the server, and check the clock of this machine.'
  if (/^(?:ERR_SSL_WRONG_VERSION_NUMBER|EPROTO)$/.test(code))
    return 'If the server does not use TLS, begin --url or TENANTRY_URL with http://.'
  return 'Start the server with "npm start", or set its URL with --url or TENANTRY_URL.'
}

/** The client's `baseUrl` is the option --url here. */
const withOption = (message: string): string => message.replaceAll('baseUrl', '--url')

function explainRefusal(
  { code, status, message, validation, details, requestId }: TenantryError,
  source: string | null,
): string {
  const fields = fieldsInWords({ validation, details }).map((field) => `  ${shown(field)}${ruleOf(field)}`)
  const lines = [
    fields.length > 0 ? 'The server rejected the request:' : withOption(message),
    ...fields,
    ...(source === null ? [] : [`The key came from ${source}.`]),
    ...(advice[code] ? [advice[code]] : []),
    ...(status >= 500 ? [`See the server's log for request id ${requestId}.`] : []),
  ]
  return `${lines.join('\n')}\n(${code}, ${status})`
}

function ruleOf(field: string): string {
  const rule = rules[field]
  return rule === undefined ? '' : ` (${rule})`
}
