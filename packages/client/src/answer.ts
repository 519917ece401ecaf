import { TenantryAnswerError, TenantryConnectionError, TenantryError } from './errors.ts'
import type { Failure } from './failure.ts'
import type { Route } from './route.ts'

/**
 * The result of a method: `data` of the envelope, the bare body of operations without one, text, or undefined for the 204 of a
 * DELETE.
 *
 * @throws {TenantryError} the service responded with an error
 * @throws {TenantryConnectionError} the response is a redirect
 * @throws {TenantryAnswerError} the response does not have the service's format
 */
export function readAnswer(route: Route, response: Response, text: string, url: URL): unknown {
  if (response.status === 204 && route.method === 'DELETE') return undefined
  // Browsers do not reveal the status of a redirect: 0.
  if ([0, 301, 302, 303, 307, 308].includes(response.status)) throw new TenantryConnectionError(whyRedirected(url))
  const isText = response.ok && route.gives === 'text'
  if (isText && response.headers.get('content-type')?.startsWith('text/plain')) return text
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new TenantryAnswerError(response, text, url, { cause })
  }
  if (!response.ok) {
    if (isFailure(body)) throw refusalOf(body, response, url)
  } else if (isObject(body) && !isText) {
    if (route.envelope === false) return body
    if (isObject(body['meta']) && isObject(body['data'])) return body['data']
  }
  throw new TenantryAnswerError(response, text, url)
}

export const whyRedirected = ({ origin }: URL): string =>
  `${origin} responded with a redirect. It is not followed, because that would forward the key; set baseUrl to its target`

/** With the options of the client to check, which the service does not know. */
function refusalOf(failure: Failure, { status, headers }: Response, { origin, pathname }: URL): TenantryError {
  const error = new TenantryError(failure, status, headers)
  if (error.code === 'NOT_FOUND') error.message = `${origin}${pathname} does not exist. Check the path of baseUrl`
  if (error.code === 'MISSING_TENANT_KEY') error.message = 'The tenant key is missing. Set tenantKey of the client'
  return error
}

/** Whether this is an error envelope. Ignores fields that a newer service adds. */
export function isFailure(body: unknown): body is Failure {
  if (!isObject(body) || !isObject(body['meta']) || !isObject(body['error'])) return false
  const { code, message } = body['error']
  return [code, message, body['meta']['requestId']].every((value) => typeof value === 'string')
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
